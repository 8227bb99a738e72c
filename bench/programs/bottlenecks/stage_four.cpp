// KIND pipeline, NAMES Deduplicate|dedup: four stages of one class hierarchy; the third one searches linearly.
#include "queue.hpp"
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

struct Stage {
  Queue<int> in;
  Stage* next = nullptr;
  virtual ~Stage() = default;
  virtual int process(int item) = 0;
  void run(int items) {
    for (int i = 0; i < items; i++) {
      const int item = process(in.pop());
      if (next)
        next->in.push(item);
    }
  }
};

struct Hash : Stage {
  int process(int item) override {
    for (int i = 0; i < 1500; i++)
      item = item * 31 + i;
    return item;
  }
};

struct Deduplicate : Stage {
  std::vector<int> seen = std::vector<int>(4000, -1);
  int process(int item) override {
#ifdef FIXED
    for (size_t i = 0; i < 500; i++)
#else
    for (size_t i = 0; i < seen.size(); i++) // CULPRIT
#endif
      if (seen[i] == item)
        return 0;
    seen.push_back(item);
    return item;
  }
};

int main() {
  constexpr int kItems = 80;
  Hash first, second, last;
  Deduplicate middle;
  first.next = &second;
  second.next = &middle;
  middle.next = &last;
  std::vector<std::thread> threads;
  for (Stage* stage : std::initializer_list<Stage*>{&first, &second, &middle, &last})
    threads.emplace_back([stage] { stage->run(kItems); });
  for (int i = 0; i < kItems; i++)
    first.in.push(i);
  for (auto& thread : threads)
    thread.join();
  std::printf("%zu\n", middle.seen.size());
}
