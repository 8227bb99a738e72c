// Sums the leaves of a tree; each call gets a copy of all nodes.
// culprit: weight
#include <cstdio>
#include <vector>

struct Node {
  int value, left, right;
};

static std::vector<Node> make_tree(int nodes) {
  std::vector<Node> tree(nodes);
  for (int i = 0; i < nodes; i++) {
    int left = 2 * i + 1, right = 2 * i + 2;
    tree[i] = {i * 37 % 101, left < nodes ? left : -1, right < nodes ? right : -1};
  }
  return tree;
}

#ifdef REPAIRED
static long weight(const std::vector<Node>& tree, int at) {
#else
static long weight(std::vector<Node> tree, int at) { // CULPRIT
#endif
  if (at < 0) return 0;
  return tree[at].value + weight(tree, tree[at].left) + weight(tree, tree[at].right);
}

static int deepest(const std::vector<Node>& tree, int at) {
  if (at < 0) return 0;
  int left = deepest(tree, tree[at].left), right = deepest(tree, tree[at].right);
  return 1 + (left > right ? left : right);
}

int main() {
  long sum = 0;
  for (int nodes = 100; nodes <= 800; nodes += 100) {
    auto tree = make_tree(nodes);
    sum += weight(tree, 0) + deepest(tree, 0);
  }
  std::printf("%ld\n", sum);
}
