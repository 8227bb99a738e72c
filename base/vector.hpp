// A growable array. It owns its elements and is move-only. Capacity doubles when it grows, so
// push_back is O(1) amortised. Elements must be trivially relocatable, because realloc moves them;
// plain structs, pointers and other Vectors are.
#pragma once

#include "base/check.hpp"
#include "base/memory.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

template <typename T> class Vector {
public:
  explicit constexpr Vector(const char* cost_centre) : cost_centre_(cost_centre) {}
  Vector(Vector&& other) noexcept
      : cost_centre_(other.cost_centre_), begin_(std::exchange(other.begin_, nullptr)),
        end_(std::exchange(other.end_, nullptr)), limit_(std::exchange(other.limit_, nullptr)) {}
  Vector& operator=(Vector&& other) noexcept {
    std::swap(begin_, other.begin_);
    std::swap(end_, other.end_);
    std::swap(limit_, other.limit_);
    return *this;
  }
  ~Vector() {
    clear();
    if (begin_ != nullptr)
      release(begin_);
  }

  const char* cost_centre() const { return cost_centre_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  bool empty() const { return end_ == begin_; }
  bool is_full() const { return end_ == limit_; } // the next element makes the array grow and move
  T& operator[](std::size_t i) { return begin_[i]; }
  const T& operator[](std::size_t i) const { return begin_[i]; }
  T& back() { return end_[-1]; }
  const T& back() const { return end_[-1]; }
  T* begin() { return begin_; }
  T* end() { return end_; }
  const T* begin() const { return begin_; }
  const T* end() const { return end_; }

  T& push_back(T element) { return emplace_back(std::move(element)); }
  // Constructs the element in place. Copying a struct would load as a whole what was just stored in
  // parts, which stalls the processor.
  template <typename... Parts> T& emplace_back(Parts&&... parts) {
    if (end_ == limit_) [[unlikely]]
      grow();
    return *new (end_++) T{std::forward<Parts>(parts)...};
  }
  void pop_back() { (--end_)->~T(); }
  void clear() {
    while (end_ > begin_)
      pop_back();
  }
  void reserve(std::size_t capacity) {
    if (capacity <= this->capacity())
      return;
    const std::size_t elements = size();
    begin_ = static_cast<T*>(reallocate(cost_centre_, begin_, capacity * sizeof(T)));
    end_ = begin_ + elements;
    limit_ = begin_ + capacity;
  }
  void resize(std::size_t size) {
    if (size > capacity())
      reserve(std::max(size, 2 * capacity())); // grow by doubling: resizing one by one stays linear
    T* const end = begin_ + size;
    while (end_ < end)
      new (end_++) T{};
    while (end_ > end)
      pop_back();
  }
  // Like resize, but new elements are left uninitialised, for the caller to write.
  void resize_for_overwrite(std::size_t size) {
    static_assert(std::is_trivial_v<T>);
    reserve(size);
    end_ = begin_ + size;
  }
  // O(1), but does not keep the order of the elements.
  void swap_remove(std::size_t i) {
    if (i + 1 != size())
      begin_[i] = std::move(back());
    pop_back();
  }

private:
  [[gnu::noinline]] void grow() { reserve(capacity() == 0 ? 8 : 2 * capacity()); }
  std::size_t capacity() const { return static_cast<std::size_t>(limit_ - begin_); }

  const char* cost_centre_;
  T* begin_ = nullptr;
  T* end_ = nullptr;
  T* limit_ = nullptr; // end of the allocated memory
};

template <typename T> void copy(Vector<T>& to, const Vector<T>& from) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); i++)
    to[i] = from[i];
}
