// Exceptions that are rethrown, thrown by a constructor, pass through C frames, or are forced unwinding;
// virtual calls, std::function, callbacks of std::sort. With an argument: one that meets noexcept.
#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <unwind.h>
#include <vector>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int sink;
static volatile int cells[100];

extern "C" NOINLINE void work(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

static int guards;
struct Guard {
  NOINLINE ~Guard() { guards++; }
};

NOINLINE void throws() { throw std::runtime_error("thrown"); }
NOINLINE void throws_again(int times) {
  Guard guard;
  try {
    if (times == 0)
      throws();
    else
      throws_again(times - 1);
  } catch (...) {
    work(10);
    throw;
  }
  work(1000);
}
NOINLINE void catches() {
  try {
    throws_again(4);
  } catch (const std::exception&) {
    work(20);
  }
}

// The second member's constructor throws: the first member is destroyed, the third is never constructed.
struct Member {
  NOINLINE explicit Member(int n) {
    if (n < 0)
      throw n;
    sink = n;
  }
  NOINLINE ~Member() { sink = 0; }
};
struct Whole {
  Member first, second, third;
  NOINLINE Whole() : first(1), second(-1), third(3) { work(1000); }
  NOINLINE ~Whole() { work(1000); }
};
NOINLINE int makes() {
  try {
    Whole whole;
    return 1;
  } catch (int n) {
    work(5);
    return n;
  }
}

// Through a C routine, which only passes the exception on.
static int compared;
extern "C" int compare_or_throw(const void* a, const void* b) {
  compared++;
  if (*static_cast<const int*>(a) == 3 || *static_cast<const int*>(b) == 3)
    throw 3;
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}
NOINLINE int through_qsort() {
  int values[] = {5, 4, 3, 2, 1};
  try {
    qsort(values, 5, sizeof *values, compare_or_throw);
  } catch (int n) {
    return n;
  }
  return 0;
}

// Unwinds six frames, and leaves by longjmp when nothing is left to clean up.
static jmp_buf unwound;
static int frames_seen;
extern "C" _Unwind_Reason_Code stop_at(int, _Unwind_Action, _Unwind_Exception_Class,
                                       _Unwind_Exception*, _Unwind_Context*, void*) {
  if (++frames_seen == 6)
    longjmp(unwound, 1);
  return _URC_NO_REASON;
}
NOINLINE void forced(int depth) {
  static _Unwind_Exception exception;
  Guard guard;
  if (depth == 0)
    _Unwind_ForcedUnwind(&exception, stop_at, nullptr);
  if (depth > 0)
    forced(depth - 1);
  work(1000);
}
NOINLINE void unwinds() {
  frames_seen = 0;
  if (setjmp(unwound) == 0)
    forced(4);
  work(3);
}

// Virtual calls: each class reads a different number of cells.
struct Shape {
  virtual int area() const = 0;
  virtual ~Shape() {}
};
template <int n> struct Polygon : Shape {
  NOINLINE int area() const override {
    int total = 0;
    for (int i = 0; i < n; i++)
      total += cells[i];
    return total;
  }
};
NOINLINE int total_area(const std::vector<std::unique_ptr<Shape>>& shapes) {
  int total = 0;
  for (const auto& shape : shapes)
    total += shape->area();
  return total;
}

NOINLINE int of_function(const std::function<int(int)>& function, int n) { return function(n); }
NOINLINE int plus_cell(int n) { return n + cells[7]; }

struct Descending {
  NOINLINE bool operator()(int a, int b) const { return a > b; }
};
static int comparisons;
NOINLINE int sorts(std::vector<int> values) {
  std::sort(
      values.begin(), values.end(), [](int a, int b) __attribute__((noinline)) {
        comparisons++;
        return a < b;
      });
  std::sort(values.begin(), values.end(), Descending());
  return values[0];
}

NOINLINE void meets_noexcept() noexcept { throws(); }

int main(int argc, char**) {
  for (int i = 0; i < 100; i++)
    cells[i] = i;
  if (argc > 1)
    meets_noexcept();
  for (int i = 0; i < 3; i++)
    catches();
  int total = 0;
  for (int i = 0; i < 4; i++)
    total += makes();
  for (int i = 0; i < 5; i++)
    total += through_qsort();
  for (int i = 0; i < 6; i++)
    unwinds();
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 7; i++) {
    shapes.emplace_back(new Polygon<10>);
    shapes.emplace_back(new Polygon<20>);
  }
  total += total_area(shapes);
  const int captured = cells[9];
  for (int i = 0; i < 8; i++)
    total += of_function(plus_cell, i) + of_function([=](int n) { return n + captured; }, i);
  std::vector<int> values;
  for (int i = 0; i < 50; i++)
    values.push_back(i * 37 % 50);
  total += sorts(values);
  std::printf("%d %d %d %d\n", comparisons, compared, guards, total);
}
