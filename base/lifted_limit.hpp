// A limit that the client set on itself is meant for the client: lifts it, as far as the process
// may, for the tool's own files and memory, and puts it back when this goes out of scope.
#pragma once

#include "base/valgrind.hpp"

// RLIMIT_FSIZE and RLIMIT_AS of linux, which the core's headers leave out.
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
