// KIND pipeline, NAMES read_all: one thread splits the input for three workers, which wait for it.
#include "queue.hpp"
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

static void read_all(Queue<std::string>& lines, int count) {
  for (int i = 0; i < count; i++) {
    std::string line;
#ifdef FIXED
    line.assign(20, 'a' + i % 26);
#else
    for (int k = 0; k < 400; k++) // CULPRIT
      line += 'a' + (i * k) % 26;
#endif
    lines.push(line);
  }
  for (int worker = 0; worker < 3; worker++)
    lines.push("");
}

static void work(Queue<std::string>& lines, unsigned& sum) {
  for (std::string line = lines.pop(); !line.empty(); line = lines.pop())
    for (int k = 0; k < 80; k++)
      for (size_t i = 0; i < line.size() && i < 20; i++)
        sum = sum * 31 + line[i];
}

int main() {
  Queue<std::string> lines;
  unsigned sums[3] = {};
  std::thread reader(read_all, std::ref(lines), 200);
  std::vector<std::thread> workers;
  for (unsigned& sum : sums)
    workers.emplace_back(work, std::ref(lines), std::ref(sum));
  reader.join();
  for (auto& worker : workers)
    worker.join();
  std::printf("%u\n", sums[0] ^ sums[1] ^ sums[2]);
}
