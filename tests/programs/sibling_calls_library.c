#include "sibling_calls.h"

static volatile int cell = 1;

__attribute__((noinline, noipa)) int library_end(int n) { return n + cell; }
__attribute__((noinline, noipa)) int library_link(int n) { return library_end(n); }
