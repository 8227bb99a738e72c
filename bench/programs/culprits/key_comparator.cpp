// Sorts folders by their depth, which the comparison counts anew from the folder up to the root.
// culprit: depth, operator(), by_depth
#include <algorithm>
#include <cstdio>
#include <vector>

struct Folder {
  int id;
  const Folder* parent;
};

static int depth(const Folder* folder) {
  int steps = 0;
  while (folder->parent) { // CULPRIT
    folder = folder->parent;
    steps++;
  }
  return steps;
}

static std::vector<Folder> chain(int length) {
  std::vector<Folder> folders(length);
  for (int i = 0; i < length; i++)
    folders[i] = {i * 31 % 97, i % 3 == 1 && i > 1 ? &folders[i - 2]
                               : i                 ? &folders[i - 1]
                                                   : nullptr};
  return folders;
}

static long by_depth(const std::vector<Folder>& folders) {
  std::vector<const Folder*> sorted;
  for (size_t i = 0; i < folders.size(); i++)
    sorted.push_back(&folders[i * 7919 % folders.size()]);
#ifdef REPAIRED
  std::vector<int> depths(folders.size());
  for (size_t i = 1; i < folders.size(); i++)
    depths[i] = depths[folders[i].parent - folders.data()] + 1;
  auto of = [&](const Folder* folder) { return depths[folder - folders.data()]; };
#else
  auto of = [](const Folder* folder) { return depth(folder); };
#endif
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Folder* a, const Folder* b) { return of(a) < of(b); });
  long sum = 0;
  for (size_t i = 0; i < sorted.size(); i++)
    sum += i * sorted[i]->id;
  return sum;
}

int main() {
  long sum = 0;
  for (int length = 50; length <= 600; length += 50)
    sum += by_depth(chain(length));
  std::printf("%ld\n", sum);
}
