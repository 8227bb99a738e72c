// Sorts arrays of many sizes and looks values up in them.
#include <algorithm>
#include <cstdio>
#include <vector>

static long measure(int n) {
  std::vector<int> values;
  for (int i = 0; i < n; i++) values.push_back(static_cast<int>(i * 2654435761u % 100003));
  std::sort(values.begin(), values.end());
  long hits = 0;
  for (int i = 0; i < n; i++) hits += std::binary_search(values.begin(), values.end(), i * 7);
  return hits;
}

int main() {
  long hits = 0;
  for (int n = 500; n <= 8000; n += 500) hits += measure(n);
  std::printf("%ld\n", hits);
}
