// KIND lock, NAMES Guard|taken|append|main: words are appended to one text under a lock of the program's own, an int that is stored to.
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> taken{0};
static std::string text;

class Guard {
public:
  Guard() {
    for (int free = 0; !taken.compare_exchange_weak(free, 1, std::memory_order_acquire); free = 0) // CULPRIT
      ;
  }
  ~Guard() { taken.store(0); }
};

static void append(const std::string& words) {
  Guard guard;
  for (char c : words)
    text += c == ' ' ? '_' : c;
}

int main() {
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; n++)
    threads.emplace_back([n] {
      std::string words;
      for (int round = 0; round < 150; round++) {
#ifndef FIXED
        words.clear();
#endif
        for (int i = 0; i < 60; i++)
          words += "aeiou xyz"[(round * i + n) % 9];
#ifndef FIXED
        append(words);
#endif
      }
#ifdef FIXED
      Guard guard;
      text += words;
#endif
    });
  for (auto& thread : threads)
    thread.join();
  std::printf("%zu\n", text.size());
}
