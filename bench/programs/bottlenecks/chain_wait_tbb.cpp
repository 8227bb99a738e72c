// KIND chain|serial, NAMES solve|relax|main: a task_group that is waited for after each of its tasks.
#include <cstdio>
#include <tbb/task_group.h>
#include <vector>

static void relax(std::vector<double>& block) {
  for (int k = 0; k < 8; k++)
    for (size_t i = 1; i < block.size(); i++)
      block[i] = 0.5 * (block[i] + block[i - 1]);
}

static void solve(std::vector<std::vector<double>>& blocks) {
  tbb::task_group group;
  for (auto& block : blocks) {
    group.run([&block] { relax(block); }); // CULPRIT
#ifndef FIXED
    group.wait();
#endif
  }
  group.wait();
}

int main() {
  std::vector<std::vector<double>> blocks(16, std::vector<double>(1000, 3));
  solve(blocks);
  std::printf("%g\n", blocks[2][5]);
}
