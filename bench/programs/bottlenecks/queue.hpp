// A bounded queue of a mutex and two conditions, as the pipelines here have it.
#pragma once
#include <condition_variable>
#include <mutex>
#include <queue>

template <typename T> class Queue {
public:
  explicit Queue(size_t room = 8) : room_(room) {}
  void push(T item) {
    std::unique_lock<std::mutex> lock(mutex_);
    not_full_.wait(lock, [this] { return items_.size() < room_; });
    items_.push(std::move(item));
    not_empty_.notify_one();
  }
  T pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    not_empty_.wait(lock, [this] { return !items_.empty(); });
    T item = std::move(items_.front());
    items_.pop();
    not_full_.notify_one();
    return item;
  }

private:
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::queue<T> items_;
  size_t room_;
};
