// A growable array. Owns its elements; move-only; growth doubles, so that push_back is O(1)
// amortised. Elements must be trivially relocatable (realloc moves them): plain structs, pointers
// and other Vectors are.
#pragma once

#include "base/check.hpp"
#include "base/memory.hpp"

#include <utility>

template <typename T> class Vector {
public:
  explicit constexpr Vector(const char* cost_centre) : cost_centre_(cost_centre) {}
  Vector(Vector&& other) noexcept
      : cost_centre_(other.cost_centre_), data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)), capacity_(std::exchange(other.capacity_, 0)) {}
  Vector& operator=(Vector&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~Vector() {
    clear();
    if (data_ != nullptr)
      release(data_);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool is_full() const { return size_ == capacity_; } // one more makes the elements move
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  T& push_back(T element) { return emplace_back(std::move(element)); }
  // Made of its parts where it stands. A copy of a struct loads in one piece what was just stored
  // in several, which stalls.
  template <typename... Parts> T& emplace_back(Parts&&... parts) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    return *new (&data_[size_++]) T{std::forward<Parts>(parts)...};
  }
  void pop_back() { data_[--size_].~T(); }
  void clear() {
    while (size_ > 0)
      pop_back();
  }
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_)
      return;
    data_ = static_cast<T*>(reallocate(cost_centre_, data_, capacity * sizeof(T)));
    capacity_ = capacity;
  }
  void resize(std::size_t size) {
    reserve(size);
    while (size_ < size)
      new (&data_[size_++]) T{};
    while (size_ > size)
      pop_back();
  }
  // O(1); the order of the elements is not kept.
  void swap_remove(std::size_t i) {
    if (i + 1 != size_)
      data_[i] = std::move(data_[size_ - 1]);
    pop_back();
  }

private:
  [[gnu::noinline]] void grow() { reserve(capacity_ == 0 ? 8 : 2 * capacity_); }

  const char* cost_centre_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

template <typename T> void copy(Vector<T>& to, const Vector<T>& from) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); i++)
    to[i] = from[i];
}
