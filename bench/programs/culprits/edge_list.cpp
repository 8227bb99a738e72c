// A breadth-first search in a graph that is a list of edges: the neighbours of each node are looked for in all of them.
// culprit: reachable, neighbours
#include <cstdio>
#include <queue>
#include <utility>
#include <vector>

using Edges = std::vector<std::pair<int, int>>;

#ifdef REPAIRED
struct Graph {
  std::vector<std::vector<int>> next;
  Graph(int nodes, const Edges& edges) : next(nodes) {
    for (auto [from, to] : edges) next[from].push_back(to);
  }
  const std::vector<int>& neighbours(int node) const { return next[node]; }
};
#else
struct Graph {
  const Edges& edges;
  Graph(int, const Edges& all) : edges(all) {}
  std::vector<int> neighbours(int node) const {
    std::vector<int> found;
    for (const auto& [from, to] : edges) // CULPRIT
      if (from == node) found.push_back(to);
    return found;
  }
};
#endif

static int reachable(const Graph& graph, int nodes) {
  std::vector<bool> seen(nodes);
  std::queue<int> due;
  due.push(0);
  seen[0] = true;
  int count = 0;
  for (; !due.empty(); due.pop()) {
    count++;
    for (int next : graph.neighbours(due.front()))
      if (!seen[next]) {
        seen[next] = true;
        due.push(next);
      }
  }
  return count;
}

int main() {
  int sum = 0;
  for (int nodes = 80; nodes <= 640; nodes += 80) {
    Edges edges;
    for (int i = 0; i < nodes; i++)
      for (int k = 1; k <= 3; k++) edges.push_back({i, (i * 7 + k * 13) % nodes});
    sum += reachable(Graph(nodes, edges), nodes);
  }
  std::printf("%d reached\n", sum);
}
