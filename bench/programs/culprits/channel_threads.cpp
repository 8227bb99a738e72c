// A producer and a consumer; the channel between them is a vector whose front is erased.
// culprit: pop, receive, erase, consume, operator(), _M_run
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

struct Message {
  int kind;
  double values[7];
};

template <class T> class Channel {
#ifdef REPAIRED
  std::deque<T> queue_;
#else
  std::vector<T> queue_;
#endif
  std::mutex lock_;
  std::condition_variable filled_;
  bool closed_ = false;

public:
  void send(const T& value) {
    std::lock_guard<std::mutex> guard(lock_);
    queue_.push_back(value);
  }
  void close() {
    std::lock_guard<std::mutex> guard(lock_);
    closed_ = true;
    filled_.notify_all();
  }
  bool receive(T& value) {
    std::unique_lock<std::mutex> guard(lock_);
    filled_.wait(guard, [this] { return closed_; });
    if (queue_.empty()) return false;
    value = queue_.front();
#ifdef REPAIRED
    queue_.pop_front();
#else
    queue_.erase(queue_.begin()); // CULPRIT
#endif
    return true;
  }
};

static void consume(Channel<Message>& channel, double& sum) {
  Message message;
  while (channel.receive(message)) sum += message.values[message.kind];
}

static double exchange(int messages) {
  Channel<Message> channel;
  double sum = 0;
  std::thread consumer(consume, std::ref(channel), std::ref(sum));
  for (int i = 0; i < messages; i++) channel.send({i % 7, {1.0 * i, 2, 3, 4, 5, 6, 7}});
  channel.close();
  consumer.join();
  return sum;
}

int main() {
  double sum = 0;
  for (int messages = 100; messages <= 1500; messages += 100) sum += exchange(messages);
  std::printf("%g\n", sum);
}
