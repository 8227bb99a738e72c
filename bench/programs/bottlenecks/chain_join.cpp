// KIND chain, NAMES render|main: a thread for each frame, joined before the next one starts.
#include <cstdio>
#include <thread>
#include <vector>

static void render(std::vector<float>& frame, int number) {
  for (int k = 0; k < 10; k++)
    for (float& pixel : frame)
      pixel = pixel * 0.5f + number;
}

int main() {
  std::vector<std::vector<float>> frames(12, std::vector<float>(1500));
  std::vector<std::thread> threads;
  for (int f = 0; f < 12; f++) {
    threads.emplace_back(render, std::ref(frames[f]), f); // CULPRIT
#ifndef FIXED
    threads.back().join();
#endif
  }
#ifdef FIXED
  for (auto& thread : threads)
    thread.join();
#endif
  std::printf("%g\n", frames[3][7]);
}
