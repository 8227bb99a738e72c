// Two threads add up under a lock that they make of a std::atomic; then a flag is at its address,
// for which one waits until the other one has set it.
//
// is-cleared: the flag is the same std::atomic, which the one that waited clears
// stores: the flag is created by the program, and stored to
// exchanges, sets: the memory was freed, and the flag is a std::atomic_ref
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

namespace {

constexpr std::size_t kBytes = 64;
constexpr int kLong = 500'000; // several turns of a thread: the other one waits before it ends
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
  std::thread first([&] {
    work(kLong);
    set(flag);
  });
  std::thread second([&] {
    while (!flag.load())
      std::this_thread::yield();
    work(kLong);
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
  std::thread first(with_lock, std::ref(*lock)), second(with_lock, std::ref(*lock));
  first.join();
  second.join();
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
