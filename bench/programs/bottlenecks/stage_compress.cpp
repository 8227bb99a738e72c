// KIND pipeline, NAMES compress|Compressor: a reader, a compressor and a writer pass blocks by queues; compressing takes longest.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

using Block = std::vector<unsigned char>;

template <typename T> class Channel {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<T> items;
  bool closed = false;

public:
  void push(T item) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return items.size() < 4; });
    items.push_back(std::move(item));
    changed.notify_all();
  }
  void close() {
    std::lock_guard lock(mutex);
    closed = true;
    changed.notify_all();
  }
  std::optional<T> pop() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return closed || !items.empty(); });
    if (items.empty())
      return {};
    T item = std::move(items.front());
    items.pop_front();
    changed.notify_all();
    return item;
  }
};

static void read_blocks(Channel<Block>& out) {
  for (int b = 0; b < 40; b++) {
    Block block(2000);
    for (size_t i = 0; i < block.size(); i++)
      block[i] = static_cast<unsigned char>(b * 7 + i % 13);
    out.push(std::move(block));
  }
  out.close();
}
static void compress(Channel<Block>& in, Channel<Block>& out) { // CULPRIT
#ifdef FIXED
  constexpr int kPasses = 1;
#else
  constexpr int kPasses = 6;
#endif
  while (auto block = in.pop()) {
    for (int pass = 0; pass < kPasses; pass++)
      for (size_t i = 1; i < block->size(); i++)
        (*block)[i] ^= (*block)[i - 1] * 3;
    out.push(std::move(*block));
  }
  out.close();
}
static unsigned write_blocks(Channel<Block>& in) {
  unsigned sum = 0;
  while (auto block = in.pop())
    for (unsigned char byte : *block)
      sum = sum * 31 + byte;
  return sum;
}

int main() {
  Channel<Block> raw, packed;
  unsigned sum = 0;
  std::thread reader(read_blocks, std::ref(raw)), compressor(compress, std::ref(raw), std::ref(packed)),
      writer([&] { sum = write_blocks(packed); });
  reader.join();
  compressor.join();
  writer.join();
  std::printf("%u\n", sum);
}
