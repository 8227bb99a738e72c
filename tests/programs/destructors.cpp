/* Of a destructor or constructor in the source compilers make two or three functions that call each
   other: one that frees the memory, too, and one that leaves virtual bases alone. */
#include <cstdio>
#include <cstdlib>

#define NOINLINE __attribute__((noinline, noclone))

volatile long sink;

struct Base {
  long value = 0;
  NOINLINE Base() { sink += 1; }
  NOINLINE virtual ~Base() { sink += value; }
};

struct Node : virtual Base {
  NOINLINE explicit Node(int n);
  NOINLINE ~Node() override;
  Node *next;
};

// Recursion frees the list.
Node::Node(int n) : next(n > 1 ? new Node(n - 1) : nullptr) { sink += n; }
Node::~Node() {
  delete next;
  sink += 1;
}

struct Derived : Node {
  NOINLINE Derived() : Node(1) { sink += 2; }
  NOINLINE ~Derived() override { sink += 3; }
};

int main() {
  for (int i = 0; i < 3; i++) {
    Base *list = new Node(10);
    delete list;
    Base *one = new Derived;
    delete one;
  }
  std::printf("%ld\n", static_cast<long>(sink));
}
