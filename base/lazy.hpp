// An object that is created at its first use and lasts for the whole run. It replaces a file's
// global variable where that would need a global constructor. Each use costs a comparison.
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
  // Returns null if the object was never used.
  T* if_used() const { return made_; }

private:
  [[gnu::noinline]] void make() {
    // An aggregate takes any string as its first member.
    if constexpr (!std::is_aggregate_v<T> && std::is_constructible_v<T, const char*>)
      made_ = create<T>(cost_centre_, cost_centre_);
    else
      made_ = create<T>(cost_centre_);
  }

  const char* cost_centre_;
  T* made_ = nullptr;
};
