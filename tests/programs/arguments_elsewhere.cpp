// Integer arguments that are not in the expected registers.
// Each routine is called once with each m from 1 to 60.
#include <memory>
#include <string>

#define NOINLINE __attribute__((noinline))

enum { kCalls = 60 };
static volatile int sink;
static void work(int n) {
  for (int i = 0; i < n; i++)
    sink = sink + 1;
}

// All callers pass the same first argument: compilers may leave it out.
NOINLINE static int constant_first(int n, int m) {
  while (n < 3 * m) {
    sink = sink + n;
    n += 3;
  }
  return sink;
}

// The first register holds the hidden argument with the address of the result.
NOINLINE std::string returned_string(int m) {
  work(m);
  return std::string(static_cast<std::size_t>(m), 'x');
}
NOINLINE std::unique_ptr<int> returned_pointer(int m) {
  work(m);
  return std::make_unique<int>(m);
}

// Passed by reference, because std::string has a copy constructor.
NOINLINE int after_string(std::string text, int m) {
  work(m);
  return static_cast<int>(text.size());
}
NOINLINE int after_pointer(std::unique_ptr<int> pointer, int m) {
  work(m);
  return *pointer;
}

// Not in an integer register.
NOINLINE float after_complex(float _Complex number, int m) {
  work(m);
  return __real__ number;
}

int main() {
  int total = 0;
  for (volatile int i = 1; i <= kCalls; i = i + 1) {
    const int m = i;
    total += constant_first(5, m);
    total += static_cast<int>(returned_string(m).size()) + *returned_pointer(m);
    total += after_string("text that is no short one", m) + after_pointer(std::make_unique<int>(m), m);
    total += static_cast<int>(after_complex(1.0F, m));
  }
  return total == 0;
}
