// An object that is made when it is first used and then lasts for the whole run: what a file keeps
// to itself, without a global constructor. Costs a comparison for each use.
#pragma once

#include "base/memory.hpp"

#include <type_traits>

template <typename T> class Lazy {
public:
  explicit constexpr Lazy(const char* cost_centre) : cost_centre_(cost_centre) {}
  Lazy(const Lazy&) = delete;
  Lazy& operator=(const Lazy&) = delete;

  T& operator*() {
    if (made_ == nullptr) [[unlikely]]
      make();
    return *made_;
  }
  T* operator->() { return &**this; }
  // Null: nothing has been kept yet.
  T* if_used() const { return made_; }

private:
  [[gnu::noinline]] void make() {
    if constexpr (std::is_constructible_v<T, const char*>)
      made_ = create<T>(cost_centre_, cost_centre_);
    else
      made_ = create<T>(cost_centre_);
  }

  const char* cost_centre_;
  T* made_ = nullptr;
};
