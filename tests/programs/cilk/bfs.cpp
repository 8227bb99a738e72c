// bfs N [GRAIN]: the distance of each of N vertices from the first one.
// Layer by layer, as PBFS does; the next layer is collected in a bag, a
// reducer. GRAIN: the number of vertices of a layer that one strand visits.
#include <cilk/cilk.h>
#include <cilk/reducer.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef std::vector<int> Vertices;

struct Graph {
  Vertices begin, to; // the neighbours of v are to[begin[v]] up to to[begin[v + 1]]
};

// Like a bag of PBFS, it takes vertices and unites with another bag.
struct Bag {
  Vertices vertices;
  void insert(int vertex) { vertices.push_back(vertex); }
};

struct BagMonoid : cilk::monoid_base<Bag> {
  static void reduce(Bag* left, Bag* right) {
    for (int vertex : right->vertices)
      left->insert(vertex);
  }
};
typedef cilk::reducer<BagMonoid> BagReducer;

static Graph random_graph(int n) {
  Graph graph;
  unsigned long state = 42;
  for (int v = 0; v < n; ++v) {
    graph.begin.push_back(int(graph.to.size()));
    for (int edge = 0; edge < 4; ++edge) {
      state = state * 6364136223846793005UL + 1442695040888963407UL;
      graph.to.push_back(int((state >> 33) % unsigned(n)));
    }
  }
  graph.begin.push_back(int(graph.to.size()));
  return graph;
}

static void visit(const Graph& graph, const int* vertex, const int* end, int distance,
                  Vertices& distances, BagReducer& next) {
  for (; vertex != end; ++vertex)
    for (int edge = graph.begin[*vertex]; edge != graph.begin[*vertex + 1]; ++edge) {
      int neighbour = graph.to[edge];
      if (distances[neighbour] < 0) {
        distances[neighbour] = distance;
        next->insert(neighbour);
      }
    }
}

static void visit_layer(const Graph& graph, const int* begin, const int* end, int distance,
                        Vertices& distances, BagReducer& next, long grain) {
  if (end - begin <= grain) {
    visit(graph, begin, end, distance, distances, next);
    return;
  }
  const int* middle = begin + (end - begin) / 2;
  cilk_spawn visit_layer(graph, begin, middle, distance, distances, next, grain);
  visit_layer(graph, middle, end, distance, distances, next, grain);
  cilk_sync;
}

static Vertices bfs(const Graph& graph, long grain) {
  Vertices distances(graph.begin.size() - 1, -1);
  Bag layer;
  layer.insert(0);
  distances[0] = 0;
  for (int distance = 1; !layer.vertices.empty(); ++distance) {
    BagReducer next;
    const int* begin = layer.vertices.data();
    visit_layer(graph, begin, begin + layer.vertices.size(), distance, distances, next, grain);
    next.move_out(layer);
  }
  return distances;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  long grain = argc > 2 ? std::atol(argv[2]) : 16, checksum = 0;
  if (n < 1 || grain < 1)
    return 2;
  for (int distance : bfs(random_graph(n), grain))
    checksum += distance;
  std::printf("bfs %d\n%ld\n", n, checksum);
  return 0;
}
