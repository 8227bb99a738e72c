// The prof data structure (Cilkprof paper, section 5 and Figure 4): the measures of the call sites
// along a path. A short prof is a list of contributions, a longer one an array indexed by site. So
// UPDATE, UNION, ASSIGN (a move) and INIT (clear) are O(1) amortised, and the size of a prof is
// O(sites).
//
// Sites are discovered as the program runs, so an array may be shorter than their number;
// contributions that do not fit wait in the list. An array records which of its entries are in use,
// so that clearing and adding it takes time only for these (section 7).
#pragma once

#include "base/vector.hpp"
#include "work_span/engine/measures.hpp"

#include <utility>

class ProfPool;

class Prof {
public:
  Prof() = default;
  Prof(const Prof&) = delete;
  Prof& operator=(const Prof&) = delete;
  Prof(Prof&& other) noexcept { *this = static_cast<Prof&&>(other); }
  // This one must be empty.
  Prof& operator=(Prof&& other) noexcept {
    first_ = std::exchange(other.first_, nullptr);
    last_ = std::exchange(other.last_, nullptr);
    array_ = std::exchange(other.array_, nullptr);
    listed_ = std::exchange(other.listed_, 0);
    return *this;
  }

  bool is_list() const { return array_ == nullptr; }
  bool empty() const { return first_ == nullptr && array_ == nullptr; }
  void update(ProfPool& pool, const Contribution& contribution);
  void unite(ProfPool& pool, Prof& other); // leaves the other empty
  void clear(ProfPool& pool);
  // The same for lists, which are unusable afterwards.
  void take_list(ProfPool& pool, const Prof& other);
  void drop_list(ProfPool& pool);
  // Calls f(contribution) for each element of a list.
  template <typename F> void for_each_listed(F f) const {
    for (const Entry* entry = first_; entry != nullptr; entry = entry->next)
      f(entry->contribution);
  }
  // Calls f(site, measures), possibly several times for a site, in any order.
  template <typename F> void for_each(F f) const;

private:
  friend class ProfPool;
  struct Entry {
    Entry* next;
    Contribution contribution;
  };
  struct Slot {
    Measures measures;
    bool used;
  };
  // One block of memory: the slots, then the numbers of those in use.
  struct Array {
    Array* next_free;
    u32 position; // in the pool's list of all arrays
    u32 capacity;
    u32 used_count;
    Slot* slots() { return reinterpret_cast<Slot*>(this + 1); }
    u32* used() { return reinterpret_cast<u32*>(slots() + capacity); }
    Measures& at(u32 site);
    static std::size_t bytes_for(u32 capacity) {
      return sizeof(Array) + capacity * (sizeof(Slot) + sizeof(u32));
    }
  };

  bool fits(SiteId site) const { return array_ != nullptr && index(site) < array_->capacity; }
  void flush(ProfPool& pool);
  void add_array(ProfPool& pool, Array* other);
  void unite_arrays(ProfPool& pool, Prof& other);

  Entry* first_ = nullptr;
  Entry* last_ = nullptr;
  Array* array_ = nullptr;
  u32 listed_ = 0;
};

// The memory of profs. Allocates from free lists, so that taking and giving back are O(1).
class ProfPool {
public:
  ProfPool() = default;
  ProfPool(const ProfPool&) = delete;
  ProfPool& operator=(const ProfPool&) = delete;
  ~ProfPool();

  void discovered(SiteId site) {
    if (index(site) >= sites_) [[unlikely]]
      add_sites(index(site) + 1);
  }
  u32 sites() const { return sites_; }

  // The highest number of bytes ever needed at once: for tests of the space bound.
  u64 bytes() const { return bytes_; }

private:
  friend class Prof;
  void add_sites(u32 sites) {
    sites_ = sites;
    longest_list_ = 4 * (sites < 16 ? 16 : sites);
  }
  Prof::Entry* take_entry() {
    if (free_entries_ == nullptr)
      add_entries();
    return std::exchange(free_entries_, free_entries_->next);
  }
  void add_entries();
  void give_back(Prof::Entry* first, Prof::Entry* last) {
    last->next = free_entries_;
    free_entries_ = first;
  }
  Prof::Array* take_array();
  void give_back(Prof::Array* array);

  u32 sites_ = 0;
  // The maximum length of a list. It exceeds the number of sites, because a pass over an array
  // costs more than the same number of list entries.
  u32 longest_list_ = 64;
  u64 bytes_ = 0;
  Prof::Entry* free_entries_ = nullptr;
  Prof::Array* free_arrays_ = nullptr; // all zero
  Vector<void*> blocks_{"cilkshadow.prof.entries"};
  Vector<Prof::Array*> arrays_{"cilkshadow.prof.arrays"};
};

inline Measures& Prof::Array::at(u32 site) {
  Slot& slot = slots()[site];
  if (!slot.used) {
    slot.used = true;
    used()[used_count++] = site;
  }
  return slot.measures;
}

// Stores field by field: copying a struct that was just assembled in memory would stall, because
// the wider loads would have to wait for its stores.
[[gnu::always_inline]] inline void Prof::update(ProfPool& pool, const Contribution& contribution) {
  if (fits(contribution.site)) {
    contribution.add_to(array_->at(index(contribution.site)));
    return;
  }
  Entry* entry = pool.take_entry();
  entry->next = nullptr;
  entry->contribution.site = contribution.site;
  entry->contribution.top_site = contribution.top_site;
  entry->contribution.top_caller = contribution.top_caller;
  entry->contribution.invocations = contribution.invocations;
  entry->contribution.of.work = contribution.of.work;
  entry->contribution.of.span = contribution.of.span;
  entry->contribution.of.local_work = contribution.of.local_work;
  entry->contribution.of.local_span = contribution.of.local_span;
  (last_ == nullptr ? first_ : last_->next) = entry;
  last_ = entry;
  if (++listed_ >= pool.longest_list_)
    flush(pool);
}

inline void Prof::take_list(ProfPool& pool, const Prof& other) {
  if (other.first_ == nullptr)
    return;
  (last_ == nullptr ? first_ : last_->next) = other.first_;
  last_ = other.last_;
  listed_ += other.listed_;
  if (listed_ >= pool.longest_list_) [[unlikely]]
    flush(pool);
}

inline void Prof::drop_list(ProfPool& pool) {
  if (first_ != nullptr)
    pool.give_back(first_, last_);
}

inline void Prof::unite(ProfPool& pool, Prof& other) {
  if (other.array_ != nullptr) [[unlikely]]
    unite_arrays(pool, other);
  take_list(pool, other);
  other.first_ = other.last_ = nullptr;
  other.listed_ = 0;
}

inline void Prof::clear(ProfPool& pool) {
  drop_list(pool);
  if (array_ != nullptr) [[unlikely]]
    pool.give_back(array_);
  first_ = last_ = nullptr;
  array_ = nullptr;
  listed_ = 0;
}

template <typename F> void Prof::for_each(F f) const {
  for (const Entry* entry = first_; entry != nullptr; entry = entry->next) {
    Measures measures;
    entry->contribution.add_to(measures);
    f(entry->contribution.site, measures);
  }
  for (u32 i = 0; array_ != nullptr && i < array_->used_count; i++) {
    const u32 site = array_->used()[i];
    f(SiteId{site}, array_->slots()[site].measures);
  }
}
