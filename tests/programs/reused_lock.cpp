// Threads add up under a lock that they make of a std::atomic; then a flag is at its address, for
// which one waits until another one has set it.
//
// is-cleared: the flag is the same std::atomic, which the one that waited clears
// stores: the flag is created by the program, and stored to
// exchanges, sets: the memory was freed, and the flag is a std::atomic_ref
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>
#include <unistd.h>

namespace {

constexpr std::size_t kBytes = 64;
constexpr int kWork = 100'000;
volatile unsigned sum;

void work(int n) {
  for (int i = 0; i < n; i++)
    sum = sum + i;
}

void with_lock(std::atomic<bool>& taken) {
  for (int i = 0; i < 20; i++) {
    while (taken.exchange(true))
      std::this_thread::yield();
    work(10);
    taken.store(false);
  }
}

const auto leave = [](auto&) {};

template <typename Flag, typename Set, typename Clear = decltype(leave)>
void hand_over(Flag flag, Set set, Clear clear = leave) {
  int waits[2]; // a pipe: the second thread is about to wait
  if (pipe(waits) != 0)
    std::abort();
  std::thread first([&] {
    char waiting;
    if (read(waits[0], &waiting, 1) != 1)
      std::abort();
    std::this_thread::sleep_for(std::chrono::milliseconds(50)); // it waits, also on a busy machine
    work(kWork);
    set(flag);
  });
  std::thread second([&] {
    if (write(waits[1], "", 1) != 1)
      std::abort();
    while (!flag.load())
      ; // rounds with calls would count as work
    work(kWork);
    clear(flag);
  });
  first.join();
  second.join();
}

} // namespace

int main(int, char** arguments) {
  const auto is = [&](const char* how) { return std::strcmp(arguments[1], how) == 0; };
  void* memory = std::malloc(kBytes);
  auto* lock = new (memory) std::atomic<bool>(false);
  for (int i = 0; i < 2;
       i++) // one after the other: who waits for a lock that is not known yet may look long
    std::thread(with_lock, std::ref(*lock)).join();
  if (is("is-cleared")) {
    hand_over<std::atomic<bool>&>(
        *lock,
        [](auto& of) {
          of.exchange(true);
          while (of.load())
            std::this_thread::yield();
        },
        [](auto& of) { of.store(false); });
    return 0;
  }
  if (is("stores")) {
    auto* flag = new (memory) std::atomic<bool>(false);
    hand_over<std::atomic<bool>&>(*flag, [](auto& of) { of.store(true); });
    return 0;
  }
  const volatile auto address =
      reinterpret_cast<std::uintptr_t>(memory); // compilers take malloc's for another one
  std::free(memory);
  void* again = std::malloc(kBytes);
  if (reinterpret_cast<std::uintptr_t>(again) != address)
    return 1;
  auto* value = new (again) bool(false);
  const std::atomic_ref<bool> flag(*value);
  if (is("sets"))
    hand_over(flag, [](auto& of) { of.store(true); });
  else
    hand_over(flag, [](auto& of) { of.exchange(true); });
}
