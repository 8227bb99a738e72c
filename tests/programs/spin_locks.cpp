// Four threads add up under a lock that they make of a std::atomic, in the way given; or use one
// otherwise.
//
// flag, exchanges, compares: a lock
// stores, resets: likewise, of an int that is 1 while it is taken
// marks: likewise, and who waits leaves a mark in it
// hands-over: the first thread sets a flag, the second one clears it
// counts-down: a counter goes from 0 to 1 and back
// compares-down: likewise, back by a comparison
// counts: a counter goes from 0 to 1 and is stored to, but from 1 to 2 as well
// counts-up-to: likewise, and is exchanged
#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 4, kRounds = 300;
std::atomic_flag flag = ATOMIC_FLAG_INIT;
std::atomic<bool> taken{false};
std::atomic<int> owner{0};
std::atomic<char> marked{0}; // 1: taken, 2: and others wait
std::atomic<unsigned> counter{0};
std::atomic<long> users{0};
volatile unsigned sum;

void work() {
  for (int i = 0; i < 100; i++)
    sum = sum + i;
}

void with_flag() {
  while (flag.test_and_set(std::memory_order_acquire))
    std::this_thread::yield();
  work();
  flag.clear(std::memory_order_release);
}
void with_exchange() {
  while (taken.exchange(true))
    while (taken.load())
      std::this_thread::yield();
  work();
  taken.store(false);
}
void with_comparison(int me) {
  for (int free = 0; !owner.compare_exchange_weak(free, me + 1); free = 0)
    std::this_thread::yield();
  work();
  owner.store(0);
}
void with_one(bool resets) {
  for (int free = 0; !owner.compare_exchange_weak(free, 1); free = 0)
    std::this_thread::yield();
  work();
  if (resets)
    owner.exchange(0);
  else
    owner.store(0);
}
void with_mark() {
  char free = 0;
  if (!marked.compare_exchange_strong(free, 1))
    while (marked.exchange(2) != 0)
      std::this_thread::yield();
  work();
  marked.exchange(0);
}
void handing_over(int me) {
  if (me > 2)
    return;
  if (me == 1) {
    work();
    while (taken.exchange(true))
      std::this_thread::yield();
  } else {
    while (!taken.load())
      std::this_thread::yield();
    work();
    taken.store(false);
  }
}
void counting() {
  counter.fetch_add(1);
  work();
  if (counter.fetch_add(1) > 6)
    counter.store(0);
}
void counting_up_to() {
  counter.fetch_add(1);
  work();
  if (counter.fetch_add(1) > 6)
    counter.exchange(0);
}
void counting_down() {
  owner.fetch_add(1);
  work();
  owner.fetch_sub(1);
}
void comparing_down() {
  users.fetch_add(1);
  work();
  for (long now = users.load(); !users.compare_exchange_weak(now, now - 1);) {
  }
}

} // namespace

int main(int, char** arguments) {
  const auto is = [&](const char* how) { return std::strcmp(arguments[1], how) == 0; };
  using Round = void (*)(int me);
  Round round = [](int) { counting(); };
  if (is("flag"))
    round = [](int) { with_flag(); };
  else if (is("exchanges"))
    round = [](int) { with_exchange(); };
  else if (is("compares"))
    round = with_comparison;
  else if (is("stores"))
    round = [](int) { with_one(false); };
  else if (is("resets"))
    round = [](int) { with_one(true); };
  else if (is("marks"))
    round = [](int) { with_mark(); };
  else if (is("hands-over"))
    round = handing_over;
  else if (is("counts-down"))
    round = [](int) { counting_down(); };
  else if (is("compares-down"))
    round = [](int) { comparing_down(); };
  else if (is("counts-up-to"))
    round = [](int) { counting_up_to(); };
  std::vector<std::thread> threads;
  for (int me = 1; me <= kThreads; me++)
    threads.emplace_back([=] {
      for (int i = 0; i < kRounds; i++)
        round(me);
    });
  for (auto& thread : threads)
    thread.join();
  std::puts("done");
}
