// The latest entries, by any 64-bit key: 1024 sets of four, the set by a hash of the key. An entry
// is replaced when four others of its set are used before it is used again; its value is used
// again. A use costs O(1).
#pragma once

#include "base/vector.hpp"

template <typename Value> class AssociativeCache {
public:
  explicit constexpr AssociativeCache(const char* cost_centre) : sets_(cost_centre) {}
  AssociativeCache(const AssociativeCache&) = delete;
  AssociativeCache& operator=(const AssociativeCache&) = delete;
  ~AssociativeCache() {
    for_each([](Value& value) { destroy(&value); });
  }

  // Returns the key's value. A key that is not there gets a default one, or one of another key,
  // which `renew` has made like new.
  template <typename Renew> Value& at(u64 key, Renew renew) {
    if (sets_.empty())
      sets_.resize(std::size_t{1} << kBits);
    auto& [keys, values] = sets_[key * 0x9E3779B97F4A7C15u >> (64 - kBits)];
    std::size_t way = 0;
    while (way + 1 < kWays && values[way] != nullptr && keys[way] != key)
      way++;
    Value* const value = values[way] != nullptr ? values[way] : create<Value>(sets_.cost_centre());
    if (values[way] != nullptr && keys[way] != key)
      renew(*value);
    for (; way > 0; way--) {
      keys[way] = keys[way - 1];
      values[way] = values[way - 1];
    }
    keys[0] = key;
    return *(values[0] = value);
  }

  template <typename F> void for_each(F f) {
    for (Set& set : sets_)
      for (Value* value : set.values)
        if (value != nullptr)
          f(*value);
  }

private:
  static constexpr unsigned kBits = 10;
  static constexpr std::size_t kWays = 4;

  struct Set { // the latest first
    u64 keys[kWays]{};
    Value* values[kWays]{};
  };

  Vector<Set> sets_;
};
