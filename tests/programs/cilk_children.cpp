// cilk_children CASE: a spawned call of 10 units, in parallel with 10. The
// question is which call of the line, or which part of inlined code, is the child.
#include <cilk/cilk.h>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

static volatile long sum;

__attribute__((noinline)) static void work(long units) {
  for (long i = 0; i < 20000 * units; i++)
    sum = sum + i;
}

__attribute__((noinline)) static int child(int x) {
  work(10);
  return x;
}
__attribute__((noinline)) static int argument(int x) {
  work(5);
  return x;
}
__attribute__((noinline)) static int long_argument(int x) {
  work(15);
  return x;
}

static inline int leaf(long units) {
  for (long i = 0; i < 20000 * units; i++)
    sum = sum + i;
  return 1;
}

// Called to place the result, after the child.
static std::vector<int> elements(4);
static void element() {
  elements[1] = cilk_spawn child(1);
  work(10);
}
static void checked_element() {
  elements.at(1) = cilk_spawn child(1);
  work(10);
}
static std::map<std::string, int> names;
static void of_map() {
  names["a name that takes memory"] = cilk_spawn child(1);
  work(10);
}
static std::unique_ptr<std::pair<int, int>> owned(new std::pair<int, int>);
static void member_of_owned() {
  owned->first = cilk_spawn child(1);
  work(10);
}
struct Matrix {
  __attribute__((noinline)) int& operator()(int i, int j) { return cells[2 * i + j]; }
  int cells[4];
};
static Matrix matrix;
static void element_of_matrix() {
  matrix(1, 0) = cilk_spawn child(1);
  work(10);
}
struct Big {
  __attribute__((noinline)) Big(int x) : value(x) {}
  int value;
};
static void converted() {
  Big big = cilk_spawn child(1);
  work(10);
  cilk_sync;
  sum = sum + big.value;
}

struct Made {
  Made(int x) : cells(new long[4]) { cells[0] = x; }
  ~Made() { delete[] cells; }
  long* cells;
};
static void converted_inline() {
  Made made = cilk_spawn child(1);
  work(10);
}
static void converted_locally() {
  struct Local {
    __attribute__((noinline)) Local(int x) : value(x) {}
    int value;
  };
  Local local = cilk_spawn leaf(10);
  work(10);
  cilk_sync;
  sum = sum + local.value;
}
__attribute__((noinline)) static int index_of(int x) {
  sum = sum + x;
  return x;
}
static void call_for_result() {
  elements[index_of(1)] = cilk_spawn child(1);
  work(10);
}

// Arguments, which belong to the parent, of a child that is inlined at -O2 and of one that is not.
static inline int inlined(int x) {
  sum = sum + x;
  work(5);
  work(5);
  return x;
}
static void argument_of_call() {
  int x = cilk_spawn child(argument(1));
  work(10);
  cilk_sync;
  sum = sum + x;
}
static void argument_of_inlined() {
  int x = cilk_spawn inlined(argument(1));
  work(10);
  cilk_sync;
  sum = sum + x;
}
static void argument_of_leaf() {
  int x = cilk_spawn leaf(10 * argument(1));
  work(10);
  cilk_sync;
  sum = sum + x;
}
struct Object {
  inline void run(int x) { sum = sum + inlined(x); }
};
__attribute__((noinline)) static Object* object() {
  static Object only;
  return &only;
}
static void member_of_result() {
  cilk_spawn object()->run(1);
  work(10);
}
struct Function {
  __attribute__((noinline)) int operator()(int x) const { return child(x); }
};
static void function_object() {
  cilk_spawn Function()(argument(1));
  work(10);
}

// What follows the spawned call in its statement belongs to the child: 10 units more, in parallel with 20.
__attribute__((noinline)) static int child_of_more(int x) {
  work(10);
  return child(x);
}
struct Assigned {
  __attribute__((noinline)) Assigned& operator=(int x) {
    work(10);
    value = x;
    return *this;
  }
  int value;
};
static void assigned() {
  Assigned result;
  result = cilk_spawn child(1);
  work(20);
  cilk_sync;
  sum = sum + result.value;
}
struct Owner {
  explicit Owner(int x) : value(x) {}
  ~Owner() { work(10); }
  int value;
};
__attribute__((noinline)) static int child_of_owned(const Owner& owner) {
  return child(owner.value);
}
struct Converted {
  Converted(int x) : value(x) { work(10); }
  int value;
};
static void converted_at_length() {
  Converted result = cilk_spawn child_of_more(1);
  work(30);
  cilk_sync;
  sum = sum + result.value;
}
static void argument_destroyed() {
  int x = cilk_spawn child_of_owned(Owner(1));
  work(20);
  cilk_sync;
  sum = sum + x;
}

// All calls are of a lambda; its layout in source lines
// must not matter.
static void lambda_in_line() {
  cilk_spawn [] { work(3), work(4), work(3); }();
  work(10);
}
static void lambda_with_loop() {
  cilk_spawn [] { for (int i = 0; i < 10; i++) work(1); }();
  work(10);
}
static void lambda_with_argument() {
  cilk_spawn [](int x) {
    sum = sum + x;
    work(6);
    work(4);
  }(argument(1));
  work(10);
}
static void function_of_longer() {
  cilk_spawn Function()(long_argument(1));
  work(20);
}
static void lambda_of_longer() {
  cilk_spawn [](int x) {
    sum = sum + x;
    work(6);
    work(4);
  }(long_argument(1));
  work(20);
}
static void arguments_in_lines() {
  cilk_spawn child(argument(1) +
                   argument(1));
  work(10);
}
static void child_in_next_line() {
  int x = cilk_spawn
      child(argument(1));
  work(10);
  cilk_sync;
  sum = sum + x;
}
// clang-format on

int main(int argc, char** argv) {
  void (*const cases[])() = {element,
                             checked_element,
                             of_map,
                             member_of_owned,
                             element_of_matrix,
                             converted,
                             lambda_in_line,
                             lambda_with_loop,
                             member_of_result,
                             argument_of_call,
                             argument_of_inlined,
                             argument_of_leaf,
                             function_object,
                             lambda_with_argument,
                             arguments_in_lines,
                             child_in_next_line,
                             converted_inline,
                             converted_locally,
                             call_for_result,
                             assigned,
                             argument_destroyed,
                             converted_at_length,
                             function_of_longer,
                             lambda_of_longer};
  if (argc != 2)
    return 2;
  cases[std::atoi(argv[1])]();
  return 0;
}
