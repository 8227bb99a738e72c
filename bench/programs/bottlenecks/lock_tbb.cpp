// KIND lock, NAMES main|Graph|connect|edges_mutex|mutex_: a parallel_for whose body searches a list of edges under a tbb::spin_mutex.
#include <cstdio>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/spin_mutex.h>
#include <vector>

class Graph {
public:
  void connect(int from, int to) {
    tbb::spin_mutex::scoped_lock lock(edges_mutex_[from % kStripes]); // CULPRIT
    auto& edges = edges_[from % kStripes];
    for (int edge : edges)
      if (edge == from * 1000 + to)
        return;
    edges.push_back(from * 1000 + to);
  }

private:
#ifdef FIXED
  static constexpr int kStripes = 64;
#else
  static constexpr int kStripes = 1;
#endif
  tbb::spin_mutex edges_mutex_[kStripes];
  std::vector<int> edges_[kStripes];
};

int main() {
  Graph graph;
  tbb::parallel_for(tbb::blocked_range<int>(0, 6400, 10), [&](const tbb::blocked_range<int>& range) {
    for (int i = range.begin(); i < range.end(); i++) {
      unsigned x = i;
      for (int k = 0; k < 200; k++)
        x = x * 1664525 + 1013904223;
      graph.connect(i % 128, x % 400);
    }
  });
  std::puts("done");
}
