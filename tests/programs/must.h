// System calls that must succeed.
#pragma once

#include <stdio.h>
#include <stdlib.h>

static inline long check(const char* what, long result) {
  if (result < 0) {
    perror(what);
    exit(1);
  }
  return result;
}
#define DO(call) check(#call, call)
