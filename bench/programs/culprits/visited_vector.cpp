// A depth-first search that keeps the nodes it has seen in a vector and looks through it.
// culprit: visit, first_time, seen, find, explore, __find_if
#include <algorithm>
#include <cstdio>
#include <unordered_set>
#include <vector>

struct Graph {
  std::vector<std::vector<int>> next;
};

class Search {
  const Graph& graph_;
#ifdef REPAIRED
  std::unordered_set<int> seen_;
  bool first_time(int node) { return seen_.insert(node).second; }
#else
  std::vector<int> seen_;
  bool first_time(int node) {
    if (std::find(seen_.begin(), seen_.end(), node) != seen_.end())
      return false; // CULPRIT
    seen_.push_back(node);
    return true;
  }
#endif

public:
  explicit Search(const Graph& graph) : graph_(graph) {}
  void visit(int node) { // CULPRIT
    if (!first_time(node))
      return;
    for (int other : graph_.next[node])
      visit(other);
  }
  size_t number() const { return seen_.size(); }
};

int main() {
  Graph graph;
  graph.next.resize(1500);
  for (int i = 0; i < 1500; i++)
    for (int j = 1; j <= 3; j++)
      graph.next[i].push_back((i * 2 + j * 37) % 1500);
  for (int i = 0; i + 1 < 1500; i++)
    graph.next[i].push_back(i + 1);
  Search search(graph);
  search.visit(0);
  std::printf("%zu\n", search.number());
}
