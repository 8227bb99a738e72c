// CHECK(condition): an assertion that is active in every build. If it fails, the tool has a bug,
// and the run ends with file and line: a Valgrind tool reports it through the core, a hosted build
// aborts.
#pragma once

[[noreturn]] void check_failed(const char* condition, const char* file, int line,
                               const char* function);

#define CHECK(condition)                                                                           \
  (__builtin_expect(!!(condition), 1) ? static_cast<void>(0)                                       \
                                      : check_failed(#condition, __FILE__, __LINE__, __func__))
