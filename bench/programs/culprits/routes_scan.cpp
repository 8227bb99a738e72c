// Dijkstra's algorithm; the nearest open place is found by looking at all.
// culprit: nearest_open, shortest
#include <cstdio>
#include <queue>
#include <vector>

struct Edge {
  int to, length;
};
using Graph = std::vector<std::vector<Edge>>;

static Graph make_roads(int n) {
  Graph graph(n);
  unsigned state = 9;
  for (int i = 0; i < n; i++)
    for (int k = 1; k <= 3; k++) {
      state = state * 1664525 + 1013904223;
      int to = (i + 1 + static_cast<int>((state >> 12) % 30)) % n;
      graph[i].push_back({to, 1 + static_cast<int>((state >> 20) % 100)});
      graph[to].push_back({i, 1 + static_cast<int>((state >> 22) % 100)});
    }
  return graph;
}

#ifndef REPAIRED
static int nearest_open(const std::vector<int>& distance, const std::vector<char>& done) {
  int best = -1;
  for (size_t i = 0; i < distance.size(); i++) // CULPRIT
    if (!done[i] && (best < 0 || distance[i] < distance[best])) best = static_cast<int>(i);
  return best;
}
#endif

static long shortest(const Graph& graph) {
  std::vector<int> distance(graph.size(), 1 << 30);
  std::vector<char> done(graph.size());
  distance[0] = 0;
#ifdef REPAIRED
  std::priority_queue<std::pair<int, int>> open;
  open.push({0, 0});
  while (!open.empty()) {
    int at = open.top().second;
    open.pop();
    if (done[at]) continue;
#else
  for (size_t step = 0; step < graph.size(); step++) {
    int at = nearest_open(distance, done);
#endif
    done[at] = 1;
    for (Edge edge : graph[at])
      if (distance[at] + edge.length < distance[edge.to]) {
        distance[edge.to] = distance[at] + edge.length;
#ifdef REPAIRED
        open.push({-distance[edge.to], edge.to});
#endif
      }
  }
  long sum = 0;
  for (int d : distance) sum += d;
  return sum;
}

int main() { std::printf("%ld\n", shortest(make_roads(1500))); }
