// Recognises headers of the system and of the C++ library by their paths; no other file lists their
// names.
#pragma once

#include "base/pattern.hpp"

namespace system_headers {

inline bool is_of_cxx(const char* file) { return matches(file, {"*/include/c++/*"}); }
inline bool is_of_system(const char* file) {
  return is_of_cxx(file) || matches(file, {"/usr/include/*"});
}
// Also by a path from the folder of clang's program, as its debug information has some.
inline bool is_installed(const char* file) {
  return is_of_system(file) || matches(file, {"*/bin/../*/include/*"});
}

inline bool is_in_onetbb(const char* file) {
  return matches(file, {"*/oneapi/tbb/*", "*/include/tbb/*"});
}
// But for containers, ranges and sorting.
inline bool is_of_onetbb(const char* file) {
  return is_in_onetbb(file) &&
         !matches(file,
                  {"*/tbb/parallel_sort.h", "*/tbb/concurrent_*", "*/tbb/detail/_concurrent_*",
                   "*/tbb/detail/_segment_table.h", "*/tbb/enumerable_thread_specific.h",
                   "*/tbb/combinable.h", "*/tbb/blocked_range*"});
}

// Parts of the C++ library, by their names in its folder. <atomic> includes what std::atomic
// inlines from there.
inline bool is_of_atomics(const char* file) {
  return matches(file, {"*/bits/atomic_base.h", "*/atomic"});
}
inline bool is_of_waits(const char* file) {
  return matches(file, {"*/bits/atomic_wait.h", "*/bits/atomic_timed_wait.h"});
}
inline bool is_of_semaphores(const char* file) {
  return matches(file, {"*/bits/semaphore_base.h"});
}
inline bool is_of_futures(const char* file) {
  return matches(file, {"*/bits/atomic_futex.h", "*/future"});
}
inline bool is_of_latches(const char* file) { return matches(file, {"*/latch"}); }
inline bool is_of_barriers(const char* file) { return matches(file, {"*/barrier"}); }

} // namespace system_headers
