// KIND lock, NAMES busy|record: samples are entered into one histogram, under a lock of an int that is exchanged.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

static std::atomic<int> busy{0};
static std::vector<unsigned> histogram(64);

static void record(const std::vector<unsigned>& samples) {
  while (busy.exchange(1) == 1)
    std::this_thread::yield();
  for (unsigned sample : samples) // CULPRIT
    histogram[sample % histogram.size()]++;
  busy.exchange(0);
}

int main() {
  std::vector<std::thread> threads;
  for (unsigned n = 1; n <= 4; n++)
    threads.emplace_back([n] {
      std::vector<unsigned> samples(300);
#ifdef FIXED
      std::vector<unsigned> own(64);
#endif
      for (unsigned round = 0; round < 120; round++) {
        for (unsigned i = 0; i < samples.size(); i++)
          samples[i] = (round * n + i) * 2654435761u >> 8;
#ifdef FIXED
        for (unsigned sample : samples)
          own[sample % own.size()]++;
      }
      record(own);
#else
        record(samples);
      }
#endif
    });
  for (auto& thread : threads)
    thread.join();
  std::printf("%u\n", histogram[7]);
}
