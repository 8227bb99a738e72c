// A library's call of measure() is bound to a linkage stub of the program, which the resolver of
// measure() names: for a program that is not position-independent, that is the address of puts.
#include <stdio.h>

#ifdef LIBRARY
int measure(const char* text);
int measures(void);
int measures(void) {
  int sum = 0;
  for (volatile int i = 0; i < 3; i++)
    sum += measure("by the library");
  return sum;
}
#else
typedef int function(const char* text);
static function* resolve_measure(void) { return puts; }
int measure(const char* text) __attribute__((ifunc("resolve_measure")));
int measures(void);

int main(void) {
  for (volatile int i = 0; i < 3; i++)
    measure("by the program");
  return measures() == 0;
}
#endif
