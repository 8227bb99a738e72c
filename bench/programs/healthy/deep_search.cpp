// A depth-first search by recursion; each node's text is made of its neighbours'.
#include <cstdio>
#include <string>
#include <vector>

struct Graph {
  std::vector<std::vector<int>> next;
  std::vector<std::string> names;
  explicit Graph(int n) : next(n) {
    for (int i = 0; i < n; i++) {
      names.push_back("node" + std::to_string(i));
      next[i] = {(i + 1) % n, (i * 7 + 3) % n, (i * 31 + 11) % n, (i * 2) % n};
    }
  }
};

struct Search {
  const Graph& graph;
  std::vector<char> seen;
  std::vector<int> order;
  size_t letters = 0;
  explicit Search(const Graph& graph) : graph(graph), seen(graph.next.size()) {}
  void visit(int node) {
    if (seen[node])
      return;
    seen[node] = true;
    order.push_back(node);
    std::string text = graph.names[node];
    for (int other : graph.next[node])
      text += graph.names[other];
    letters += text.size();
    for (int other : graph.next[node])
      visit(other);
  }
};

int main() {
  size_t sum = 0;
  for (int n : {300, 600, 1200, 2400}) {
    Graph graph(n);
    Search search(graph);
    search.visit(0);
    for (size_t i = 0; i < search.order.size(); i++)
      sum += i * search.order[i] % 101;
    sum += search.letters;
  }
  std::printf("%zu\n", sum);
}
