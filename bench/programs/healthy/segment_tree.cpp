// Builds a segment tree by recursion, then asks it and changes it.
#include <cstdio>
#include <vector>

struct Tree {
  int n;
  std::vector<long> sums;
  explicit Tree(int size) : n(size), sums(4 * size) {}
  void build(int node, int from, int to) {
    if (to - from == 1) {
      sums[node] = from % 10;
      return;
    }
    int middle = (from + to) / 2;
    build(2 * node, from, middle);
    build(2 * node + 1, middle, to);
    sums[node] = sums[2 * node] + sums[2 * node + 1];
  }
  void set(int node, int from, int to, int at, int value) {
    if (to - from == 1) {
      sums[node] = value;
      return;
    }
    int middle = (from + to) / 2;
    if (at < middle) set(2 * node, from, middle, at, value);
    else set(2 * node + 1, middle, to, at, value);
    sums[node] = sums[2 * node] + sums[2 * node + 1];
  }
  long sum(int node, int from, int to, int a, int b) const {
    if (b <= from || to <= a) return 0;
    if (a <= from && to <= b) return sums[node];
    int middle = (from + to) / 2;
    return sum(2 * node, from, middle, a, b) + sum(2 * node + 1, middle, to, a, b);
  }
};

int main() {
  Tree tree(20000);
  tree.build(1, 0, tree.n);
  long all = 0;
  for (int i = 0; i < 2000; i++) {
    tree.set(1, 0, tree.n, i * 7 % tree.n, i);
    all += tree.sum(1, 0, tree.n, i, tree.n - i);
  }
  std::printf("%ld\n", all);
}
