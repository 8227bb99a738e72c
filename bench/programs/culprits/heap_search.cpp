// Dijkstra's algorithm with a heap, in which a node is looked for by going through it.
// culprit: lower, decrease, place_of, find, shortest, find_if, operator(), __find_if
#include <algorithm>
#include <climits>
#include <cstdio>
#include <utility>
#include <vector>

class Heap {
  std::vector<std::pair<long, int>> heap_;
  std::vector<int> places_;

  void put(size_t at, std::pair<long, int> what) {
    heap_[at] = what;
    places_[what.second] = int(at);
  }
  void up(size_t at) {
    auto what = heap_[at];
    for (; at && what < heap_[(at - 1) / 2]; at = (at - 1) / 2)
      put(at, heap_[(at - 1) / 2]);
    put(at, what);
  }
  size_t place_of(int node) const {
#ifdef REPAIRED
    return places_[node];
#else
    return std::find_if(heap_.begin(), heap_.end(),
                        [node](const auto& of) { return of.second == node; }) -
           heap_.begin(); // CULPRIT
#endif
  }

public:
  explicit Heap(int n) : places_(n) {
    for (int i = 0; i < n; i++)
      heap_.push_back({i ? LONG_MAX : 0, i}), places_[i] = i;
  }
  bool is_empty() const { return heap_.empty(); }
  std::pair<long, int> pop() {
    auto top = heap_.front(), last = heap_.back();
    heap_.pop_back();
    size_t at = 0, n = heap_.size();
    if (n) {
      for (size_t below; (below = 2 * at + 1) < n; at = below) {
        if (below + 1 < n && heap_[below + 1] < heap_[below])
          below++;
        if (!(heap_[below] < last))
          break;
        put(at, heap_[below]);
      }
      put(at, last);
    }
    return top;
  }
  void decrease(int node, long to) {
    size_t at = place_of(node);
    heap_[at].first = to;
    up(at);
  }
};

static long shortest(int n) {
  std::vector<std::vector<std::pair<int, int>>> next(n);
  for (int i = 0; i < n; i++)
    for (int j = 1; j <= 5; j++)
      next[i].push_back({(i * j + j * 17 + 1) % n, 1 + i * 31 % 40});
  std::vector<long> distance(n, LONG_MAX);
  distance[0] = 0;
  Heap open(n);
  long sum = 0;
  while (!open.is_empty()) {
    auto [so_far, node] = open.pop();
    if (so_far == LONG_MAX)
      break;
    sum += so_far;
    for (auto [to, length] : next[node])
      if (so_far + length < distance[to])
        open.decrease(to, distance[to] = so_far + length);
  }
  return sum;
}

int main() {
  long sum = 0;
  for (int n = 200; n <= 1600; n += 200)
    sum += shortest(n);
  std::printf("%ld\n", sum);
}
