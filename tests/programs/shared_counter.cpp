// Four threads take 60 items of 2,500 iterations each from an atomic counter.
#include <atomic>
#include <thread>
#include <vector>

static volatile unsigned results[60];

static void item(int number) {
  for (unsigned i = 0; i < 2500; i++)
    results[number] = results[number] + i;
}

int main() {
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&next] {
      for (int number; (number = next.fetch_add(1)) < 60;)
        item(number);
    });
  for (auto& thread : threads)
    thread.join();
}
