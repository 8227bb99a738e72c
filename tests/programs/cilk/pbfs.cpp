// pbfs N: how far each point of a mesh of N x N x N is from the first one, along its edges. Layer by
// layer; the next layer is collected in a bag, a reducer, which keeps vertices in nodes of a constant
// size, as PBFS does (Leiserson, Schardl: "A Work-Efficient Parallel Breadth-First Search Algorithm").
// With GRAIN defined (pbfs_fixed.cpp) it visits so many vertices of a node serially, else all.
#include <cilk/cilk.h>
#include <cilk/reducer.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

static const int node_size = 128; // for fast insertion
#ifndef GRAIN
#define GRAIN node_size
#endif

struct Node {
  int size;
  int vertices[node_size];
};

struct Bag {
  std::vector<Node> nodes;
  void insert(int vertex) {
    if (nodes.empty() || nodes.back().size == node_size)
      nodes.push_back(Node());
    Node& last = nodes.back();
    last.vertices[last.size++] = vertex;
  }
};

struct BagMonoid : cilk::monoid_base<Bag> {
  static void reduce(Bag* left, Bag* right) {
    left->nodes.insert(left->nodes.end(), right->nodes.begin(), right->nodes.end());
  }
};
typedef cilk::reducer<BagMonoid> BagReducer;

struct Search {
  int n;
  std::vector<int> distances;
  int distance;
};

static void visit(Search& search, bool inside, int neighbour, BagReducer& next) {
  if (inside && search.distances[neighbour] < 0) {
    search.distances[neighbour] = search.distance;
    next->insert(neighbour);
  }
}

static void visit_vertices(Search& search, const int* vertex, const int* end, BagReducer& next) {
  const int n = search.n;
  for (; vertex != end; ++vertex) {
    const int v = *vertex, x = v % n, y = v / n % n, z = v / n / n;
    visit(search, x > 0, v - 1, next);
    visit(search, x < n - 1, v + 1, next);
    visit(search, y > 0, v - n, next);
    visit(search, y < n - 1, v + n, next);
    visit(search, z > 0, v - n * n, next);
    visit(search, z < n - 1, v + n * n, next);
  }
}

static void process_node(Search& search, const int* begin, const int* end, BagReducer& next) {
  if (end - begin <= GRAIN) {
    visit_vertices(search, begin, end, next);
    return;
  }
  const int* middle = begin + (end - begin) / 2;
  cilk_spawn process_node(search, begin, middle, next);
  process_node(search, middle, end, next);
  cilk_sync;
}

static void process_bag(Search& search, const Node* begin, const Node* end, BagReducer& next) {
  if (end - begin == 1) {
    process_node(search, begin->vertices, begin->vertices + begin->size, next);
    return;
  }
  const Node* middle = begin + (end - begin) / 2;
  cilk_spawn process_bag(search, begin, middle, next);
  process_bag(search, middle, end, next);
  cilk_sync;
}

__attribute__((noinline)) static void pbfs(Search& search) {
  Bag layer;
  layer.insert(0);
  search.distances[0] = 0;
  for (search.distance = 1; !layer.nodes.empty(); ++search.distance) {
    BagReducer next;
    process_bag(search, layer.nodes.data(), layer.nodes.data() + layer.nodes.size(), next);
    next.move_out(layer);
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 20;
  if (n < 1)
    return 2;
  Search search = {n, std::vector<int>(n * n * n, -1), 0};
  pbfs(search);
  long checksum = 0;
  for (int distance : search.distances)
    checksum += distance;
  std::printf("pbfs %d\n%ld\n", n, checksum);
  return 0;
}
