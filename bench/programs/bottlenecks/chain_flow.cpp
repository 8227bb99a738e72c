// KIND chain, NAMES main|fold: nodes of a flow graph, each of which continues the one before, though they need not.
#include <cstdio>
#include <memory>
#include <tbb/flow_graph.h>
#include <vector>

static unsigned fold(unsigned x) {
  for (int i = 0; i < 4000; i++)
    x = x * 1664525 + 1013904223;
  return x;
}

int main() {
  using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  constexpr int kNodes = 40;
  unsigned parts[kNodes];
  tbb::flow::graph graph;
  tbb::flow::broadcast_node<tbb::flow::continue_msg> start(graph);
  std::vector<std::unique_ptr<Node>> nodes;
  for (int n = 0; n < kNodes; n++) {
    nodes.push_back(std::make_unique<Node>(graph, [&parts, n](const tbb::flow::continue_msg&) {
      parts[n] = fold(n); // CULPRIT
    }));
#ifdef FIXED
    tbb::flow::make_edge(start, *nodes[n]);
#else
    if (n == 0)
      tbb::flow::make_edge(start, *nodes[n]);
    else
      tbb::flow::make_edge(*nodes[n - 1], *nodes[n]);
#endif
  }
  start.try_put(tbb::flow::continue_msg());
  graph.wait_for_all();
  std::printf("%u\n", parts[kNodes - 1]);
}
