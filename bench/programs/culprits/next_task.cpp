// Packs files into volumes: the largest that is left is looked for each time, and taken out.
// culprit: take_largest, pack, max_element, __max_element
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

struct File {
  std::string name;
  long bytes;
};

static long pack(std::vector<File> files) {
  long volumes = 0, room = 0;
#ifdef REPAIRED
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.bytes < b.bytes; });
#endif
  while (!files.empty()) {
#ifdef REPAIRED
    auto largest = files.end() - 1;
#else
    auto largest = std::max_element(files.begin(), files.end(), // CULPRIT
                                    [](const File& a, const File& b) { return a.bytes < b.bytes; });
#endif
    if (largest->bytes > room) {
      volumes++;
      room = 5000;
    }
    room -= largest->bytes;
    std::swap(*largest, files.back());
    files.pop_back();
  }
  return volumes;
}

int main() {
  long sum = 0;
  for (int number = 100; number <= 1500; number += 100) {
    std::vector<File> files;
    for (int i = 0; i < number; i++) files.push_back({"file" + std::to_string(i), 100 + i * 7919L % 1777});
    sum += pack(std::move(files));
  }
  std::printf("%ld\n", sum);
}
