// Memory for the tool's own data. The implementation is chosen at link time: base/memory.cpp
// allocates from Valgrind's core, tests/unit/hosted_base.cpp from the C library.
//
// `cost_centre` names the purpose of an allocation in Valgrind's --profile-heap=yes.
#pragma once

#include "base/types.hpp"

#include <new>
#include <type_traits>
#include <utility>

// These never return null: base/reserve.hpp says what happens when memory runs out.
void* allocate(const char* cost_centre, std::size_t bytes);
void* reallocate(const char* cost_centre, void* block, std::size_t bytes);
void release(void* block);

// Maps whole pages of zeroes, which take memory only once they are touched: for large sparse tables
// and shadow chunks.
void* map_pages(const char* purpose, std::size_t bytes); // never returns null, as above
void* map_pages_or_null(std::size_t bytes);
void unmap_pages(void* pages, std::size_t bytes);

// Ends the run as if an allocation of this size had failed.
[[noreturn]] void out_of_memory(const char* purpose, std::size_t bytes);

template <typename T, typename... Args> T* create(const char* cost_centre, Args&&... args) {
  static_assert(sizeof...(Args) < 2 || !std::is_aggregate_v<T>, "clang++ 14 wants T{...}");
  return new (allocate(cost_centre, sizeof(T))) T(std::forward<Args>(args)...);
}

template <typename T> void destroy(T* object) {
  if (object == nullptr)
    return;
  object->~T();
  release(object);
}
