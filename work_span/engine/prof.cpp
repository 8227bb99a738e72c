#include "work_span/engine/prof.hpp"

#include <utility>

void Prof::unite_arrays(ProfPool& pool, Prof& other) {
  if (array_ != nullptr) {
    if (other.array_->capacity > array_->capacity)
      std::swap(array_, other.array_);
    add_array(pool, other.array_);
  } else {
    array_ = other.array_;
  }
  other.array_ = nullptr;
}

// Moves the list into an array that has room for every site.
void Prof::flush(ProfPool& pool) {
  if (array_ == nullptr || array_->capacity < pool.sites()) {
    Array* smaller = std::exchange(array_, pool.take_array());
    if (smaller != nullptr)
      add_array(pool, smaller);
  }
  for (Entry* entry = first_; entry != nullptr; entry = entry->next)
    entry->contribution.add_to(array_->at(index(entry->contribution.site)));
  if (first_ != nullptr)
    pool.give_back(first_, last_);
  first_ = last_ = nullptr;
  listed_ = 0;
}

// The capacity of `other` must not exceed this one's. It goes back to the pool.
void Prof::add_array(ProfPool& pool, Array* other) {
  for (u32 i = 0; i < other->used_count; i++) {
    const u32 site = other->used()[i];
    array_->at(site) += other->slots()[site].measures;
  }
  pool.give_back(other);
}

ProfPool::~ProfPool() {
  for (void* block : blocks_)
    release(block);
  for (Prof::Array* array : arrays_)
    release(array);
}

[[gnu::noinline]] void ProfPool::add_entries() {
  constexpr std::size_t kBlock = 1024;
  const std::size_t bytes = kBlock * sizeof(Prof::Entry);
  auto* entries = static_cast<Prof::Entry*>(allocate("cilkshadow.prof.entries", bytes));
  blocks_.push_back(entries);
  bytes_ += bytes;
  for (std::size_t i = 0; i < kBlock; i++)
    entries[i].next = i + 1 < kBlock ? &entries[i + 1] : nullptr;
  free_entries_ = entries;
}

// Arrays that have become too short are released when they are found.
Prof::Array* ProfPool::take_array() {
  while (free_arrays_ != nullptr) {
    Prof::Array* array = std::exchange(free_arrays_, free_arrays_->next_free);
    if (array->capacity >= sites_)
      return array;
    arrays_.back()->position = array->position;
    arrays_.swap_remove(array->position);
    bytes_ -= Prof::Array::bytes_for(array->capacity);
    release(array);
  }
  const u32 capacity = sites_ + sites_ / 2 + 16;
  const std::size_t bytes = Prof::Array::bytes_for(capacity);
  auto* array = static_cast<Prof::Array*>(allocate("cilkshadow.prof.arrays", bytes));
  bytes_ += bytes;
  array->position = static_cast<u32>(arrays_.size());
  array->capacity = capacity;
  array->used_count = 0;
  for (u32 i = 0; i < capacity; i++)
    array->slots()[i] = Prof::Slot{};
  arrays_.push_back(array);
  return array;
}

void ProfPool::give_back(Prof::Array* array) {
  for (u32 i = 0; i < array->used_count; i++)
    array->slots()[array->used()[i]] = Prof::Slot{};
  array->used_count = 0;
  array->next_free = free_arrays_;
  free_arrays_ = array;
}
