// Components of a graph: labels are passed on along all edges, in rounds, until none changes.
// culprit: spread, components
#include <cstdio>
#include <numeric>
#include <utility>
#include <vector>

using Edges = std::vector<std::pair<int, int>>;

static int components(int nodes, const Edges& edges) {
  std::vector<int> label(nodes);
  std::iota(label.begin(), label.end(), 0);
#ifdef REPAIRED
  auto find = [&](int at) {
    while (label[at] != at) at = label[at] = label[label[at]];
    return at;
  };
  for (auto [from, to] : edges) label[find(from)] = find(to);
  int count = 0;
  for (int i = 0; i < nodes; i++) count += find(i) == i;
  return count;
#else
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [from, to] : edges) // CULPRIT
      if (label[from] > label[to]) label[from] = label[to], changed = true;
  }
  int count = 0;
  for (int i = 0; i < nodes; i++) count += label[i] == i;
  return count;
#endif
}

int main() {
  int sum = 0;
  for (int nodes = 100; nodes <= 1000; nodes += 100) {
    Edges edges;
    for (int i = nodes - 1; i > 0; i--) edges.push_back({i, i - 1});
    sum += components(nodes, edges);
  }
  std::printf("%d\n", sum);
}
