// KIND imbalance, NAMES serve|Shard::serve|main: requests go to the thread that owns their key; most have the same.
#include <cstdio>
#include <thread>
#include <vector>

struct Shard {
  std::vector<int> requests;
  long answer = 0;
  void serve() {
    for (int request : requests) // CULPRIT
      for (int k = 0; k < 200; k++)
        answer = answer * 31 + (request ^ k);
  }
};

int main() {
  constexpr int kShards = 4, kRequests = 3000;
  Shard shards[kShards];
  for (int i = 0; i < kRequests; i++) {
    const int key = i % 10 < 7 ? 42 : i;
#ifdef FIXED
    shards[i % kShards].requests.push_back(key);
#else
    shards[key % kShards].requests.push_back(key);
#endif
  }
  std::vector<std::thread> threads;
  for (Shard& shard : shards)
    threads.emplace_back(&Shard::serve, &shard);
  for (auto& thread : threads)
    thread.join();
  std::printf("%ld\n", shards[2].answer);
}
