// KIND pipeline, NAMES encode: two buffers and std::counting_semaphore; encoding takes longer than capturing.
#include <cstdio>
#include <semaphore>
#include <thread>
#include <vector>

constexpr int kFrames = 40, kSize = 2000;
static std::vector<int> buffers[2] = {std::vector<int>(kSize), std::vector<int>(kSize)};
static std::counting_semaphore<2> is_empty(2), is_full(0);

static void capture() {
  for (int f = 0; f < kFrames; f++) {
    is_empty.acquire();
    for (int i = 0; i < kSize; i++)
      buffers[f % 2][i] = (i * f) % 255;
    is_full.release();
  }
}

static void encode() {
  long bits = 0;
  for (int f = 0; f < kFrames; f++) {
    is_full.acquire();
#ifdef FIXED
    for (int i = 1; i < kSize; i++)
      bits += buffers[f % 2][i] ^ buffers[f % 2][i - 1];
#else
    for (int shift = 1; shift < 12; shift++) // CULPRIT
      for (int i = shift; i < kSize; i++)
        bits += buffers[f % 2][i] ^ buffers[f % 2][i - shift];
#endif
    is_empty.release();
  }
  std::printf("%ld\n", bits);
}

int main() {
  std::thread a(capture), b(encode);
  a.join();
  b.join();
}
