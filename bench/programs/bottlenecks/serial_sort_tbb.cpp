// KIND serial phase, NAMES rank: oneTBB scores items in parallel, std::sort ranks them.
#include <algorithm>
#include <cstdio>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <vector>

struct Item {
  int id;
  double score;
};

static void rank(std::vector<Item>& items) {
  const auto better = [](const Item& a, const Item& b) { return a.score > b.score; };
#ifdef FIXED
  tbb::parallel_sort(items.begin(), items.end(), better);
#else
  std::sort(items.begin(), items.end(), better); // CULPRIT
#endif
}

int main() {
  std::vector<Item> items(30000);
  tbb::parallel_for(
      tbb::blocked_range<int>(0, items.size(), 1000),
      [&](const tbb::blocked_range<int>& range) {
        for (int i = range.begin(); i < range.end(); i++) {
          double x = i;
          for (int k = 0; k < 60; k++)
            x = x * 0.75 + (i % 97);
          items[i] = {i, x + i * 7919 % 10007};
        }
      },
      tbb::simple_partitioner());
  rank(items);
  std::printf("%d\n", items[0].id);
}
