// Containers and algorithms of known complexity, each on inputs of growing size.

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#define NOINLINE __attribute__((noinline))

namespace {

std::vector<unsigned> input(unsigned n) {
  std::vector<unsigned> cells(n);
  unsigned seed = n;
  for (unsigned& cell : cells) cell = seed = seed * 1664525u + 1013904223u;
  return cells;
}

}  // namespace

NOINLINE void sort_vector(std::vector<unsigned>& values) {
  std::sort(values.begin(), values.end());
}

// Never reuses memory: an allocator that searches memory freed by
// others reads input of its own, and costs more than the containers.
char arena[64 << 20];
std::size_t used = 0;

template <class T>
struct Bump {
  using value_type = T;
  Bump() = default;
  template <class U>
  Bump(const Bump<U>&) {}
  T* allocate(std::size_t n) {
    T* result = reinterpret_cast<T*>(arena + used);
    used += (n * sizeof(T) + 15) / 16 * 16;
    return result;
  }
  void deallocate(T*, std::size_t) {}
  bool operator==(const Bump&) const { return true; }
};

// Executes ten blocks, so that comparisons dominate the cost of an insertion.
struct Less {
  NOINLINE bool operator()(unsigned a, unsigned b) const {
#pragma GCC unroll 1
    for (int i = 0; i < 10; ++i) asm volatile("");
    return a < b;
  }
};

using Pair = std::pair<const unsigned, unsigned>;
using Map = std::map<unsigned, unsigned, Less, Bump<Pair>>;
using Hash =
    std::unordered_map<unsigned, unsigned, std::hash<unsigned>, std::equal_to<unsigned>, Bump<Pair>>;

// Reads the nodes on the way down: about log2 of the map's size.
NOINLINE void insert_in_map(Map& map, unsigned key) {
  map.emplace(key, key);
}

NOINLINE void fill_map(Map& map, const std::vector<unsigned>& keys) {
  for (unsigned key : keys) map.emplace(key, key);
}

// Each insertion is amortised O(1), including the rehashing that some of them do.
NOINLINE void fill_hash(Hash& hash, const std::vector<unsigned>& keys) {
  for (unsigned key : keys) hash.emplace(key, key);
}

// Most insertions read a few cells; one that rehashes reads every node.
NOINLINE void insert_in_hash(Hash& hash, unsigned key) {
  hash.emplace(key, key);
}

int main() {
  // The containers themselves are ten cells of input, which is little from a hundred keys on.
  for (unsigned n = 100; n <= 20000; n += n / 4) {
    std::vector<unsigned> keys = input(n);
    fill_map(*new Map, keys);
    fill_hash(*new Hash, keys);
    sort_vector(keys);
  }
  for (unsigned n = 1; n <= 1u << 16; n *= 2) {
    Map& map = *new Map;
    std::vector<unsigned> keys = input(n + 10);
    for (unsigned i = 0; i < n; ++i) map.emplace(keys[i], i);
    for (unsigned i = n; i < n + 10; ++i) insert_in_map(map, keys[i]);
  }
  Hash& hash = *new Hash;
  for (unsigned key : input(20000)) insert_in_hash(hash, key);
}
