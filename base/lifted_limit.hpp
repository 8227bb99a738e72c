// Raises a resource limit that the client has set on itself, so that it does not apply to the
// tool's own files and memory. The limit is raised as far as the process may, and restored at the
// end of the scope.
#pragma once

#include "base/valgrind.hpp"

// Linux's RLIMIT_FSIZE and RLIMIT_AS, which the core's headers lack.
enum class Limit : int { file_size = 1, address_space = 9 };

class LiftedLimit {
public:
  explicit LiftedLimit(Limit limit) : resource_(static_cast<int>(limit)) {
    if (VG_(getrlimit)(resource_, &before_) != 0 || before_.rlim_cur == before_.rlim_max)
      return;
    struct vki_rlimit lifted = before_;
    lifted.rlim_cur = lifted.rlim_max;
    lifted_ = VG_(setrlimit)(resource_, &lifted) == 0;
  }
  ~LiftedLimit() {
    if (lifted_)
      VG_(setrlimit)(resource_, &before_);
  }
  LiftedLimit(const LiftedLimit&) = delete;
  LiftedLimit& operator=(const LiftedLimit&) = delete;

private:
  int resource_;
  bool lifted_ = false;
  struct vki_rlimit before_;
};
