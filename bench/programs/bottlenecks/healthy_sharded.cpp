// HEALTHY: a map with a lock for each of 64 shards.
#include <array>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
struct Shard {
  std::mutex m;
  std::unordered_map<unsigned, unsigned> map;
};
static std::array<Shard, 64> shards;
static void count(unsigned seed) {
  for (int i = 0; i < 3000; i++) {
    for (int k = 0; k < 300; k++)
      seed = seed * 1664525 + 1013904223;
    const unsigned key = seed >> 20;
    Shard& s = shards[key % 64];
    std::lock_guard lock(s.m);
    s.map[key]++;
  }
}
int main() {
  std::vector<std::thread> ts;
  for (unsigned t = 0; t < 4; t++)
    ts.emplace_back(count, t * 77 + 1);
  for (auto& t : ts)
    t.join();
  size_t n = 0;
  for (auto& s : shards)
    n += s.map.size();
  std::printf("%zu\n", n);
}
