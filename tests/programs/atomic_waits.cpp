// Threads that work, ordered by what the first argument names of C++20. With a second argument the
// others' work is long, so that who waits is there before what it waits for; without, it comes late
// and need not wait.
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstring>
#include <future>
#include <latch>
#include <new>
#include <semaphore>
#include <thread>
#include <unistd.h>
#include <vector>

static volatile long sum;

__attribute__((always_inline)) inline void work_here(long rounds) {
  for (long i = 0; i < rounds; i++)
    sum = sum + i;
}
__attribute__((noinline)) void work(long rounds) { work_here(rounds); }

int main(int count, char** arguments) {
  const auto is = [&](const char* name) { return strcmp(arguments[1], name) == 0; };
  const long unit = count > 2 ? 400000 : 40000;
  std::vector<std::jthread> threads;
  const auto others = [&](int n, auto routine) {
    for (int i = 0; i < n; i++)
      threads.emplace_back(routine, i);
  };
  static std::latch latch(3);
  static std::barrier barrier(3);
  static std::counting_semaphore<> none(0), two(2);
  static std::binary_semaphore turn(1);
  static std::atomic<int> number(0);
  static std::atomic<int> counted(0);
  static std::atomic<int> numbers[4096];
  if (is("latch")) { // three, then one: 2 in sequence, of 4
    others(3, [=](int) {
      work(unit);
      latch.count_down();
    });
    latch.wait();
    work(unit);
  } else if (is("latch-arrive")) { // three, then three
    others(3, [=](int i) {
      work(i == 0 ? unit : 1);
      latch.arrive_and_wait();
      work(i == 1 ? unit : 1);
    });
  } else if (is("barrier")) { // a long one in each of 3 phases, by another thread each time
    others(3, [=](int i) {
      for (int phase = 0; phase < 3; phase++) {
        work(phase == i ? unit : 1);
        barrier.arrive_and_wait();
      }
    });
  } else if (is("split")) { // two units of each of two, one of which arrives early and waits late
    static std::barrier two_of(2);
    others(1, [=](int) {
      work(unit);
      two_of.arrive_and_wait();
      work(unit);
    });
    auto arrived = two_of.arrive();
    work(2 * unit);
    two_of.wait(std::move(arrived));
  } else if (is("completion")) { // two units, then one by the last to arrive, then two
    static std::barrier completing(2, [=]() noexcept { work(unit); });
    others(2, [=](int i) {
      work(i == 0 ? 2 * unit : 1);
      completing.arrive_and_wait();
      work(i == 1 ? 2 * unit : 1);
    });
  } else if (is("last")) { // the last to arrive wakes the others, and runs longer than they do
    static std::barrier four(4);
    others(4, [=](int i) {
      work(i == 0 ? 3 * unit / 2 : unit);
      four.arrive_and_wait();
      work(i == 1 ? 3 * unit / 2 : unit);
    });
  } else if (is("phases")) { // fully parallel, in 100 phases
    others(3, [=](int) {
      for (int phase = 0; phase < 100; phase++) {
        work(unit / 100);
        barrier.arrive_and_wait();
      }
    });
  } else if (is("semaphore")) { // one, then the other
    others(1, [=](int) {
      work(unit);
      none.release();
    });
    none.acquire();
    work(unit);
  } else if (is("permits")) { // four, two at a time
    others(4, [=](int) {
      two.acquire();
      work(unit);
      two.release();
    });
  } else if (is("timed")) { // one, then the other
    others(1, [=](int) {
      work(unit);
      none.release();
    });
    if (none.try_acquire_for(std::chrono::hours(1)))
      work(unit);
  } else if (is("again")) { // a semaphore where there was one with a post left
    others(1, [=](int) {
      for (int i = 0; i < 3; i++)
        none.release();
    });
    threads.clear();
    new (&none) std::counting_semaphore<>(0);
    others(1, [=](int) {
      work(unit);
      none.release();
    });
    none.acquire();
    work(unit);
  } else if (is("turns")) { // three, one at a time
    others(3, [=](int) {
      turn.acquire();
      work(unit);
      turn.release();
    });
  } else if (is("atomic") || is("stored")) { // one, then the other
    const bool exchanged = is("atomic");
    others(1, [=](int) {
      for (int i = 0; i < 2; i++) {
        work_here(unit / 2);
        if (exchanged)
          number = i;
        else
          number.store(i, std::memory_order_release);
      }
      number.notify_one();
    });
    number.wait(0);
    work(unit);
  } else if (is("initial")) { // one in parallel with the other, which need not wait for it
    std::atomic<int> other_than(1);
    others(1, [=, &other_than](int) {
      other_than.wait(0);
      work(unit);
    });
    work(unit);
    threads.clear();
  } else if (is("local")) { // one, then the other
    std::atomic<bool> ready(false);
    others(1, [=, &ready](int) {
      ready.wait(false);
      work(unit);
    });
    work(unit);
    ready.store(true, std::memory_order_release);
    ready.notify_one();
    threads.clear();
  } else if (is("future")) { // one, then the other
    static std::promise<int> promise;
    others(1, [=](int) {
      work(unit);
      promise.set_value(1);
    });
    work(promise.get_future().get() * unit);
  } else if (is("at-exit")) { // one, then the other, ordered by the library where it is not seen
    static std::promise<int> promise;
    others(1, [=](int) {
      work(unit);
      promise.set_value_at_thread_exit(1);
    });
    usleep(300000);
    work(promise.get_future().get() * unit);
  } else if (is("stack")) { // one, then the other
    std::latch done(1);
    others(1, [=, &done](int) {
      work(unit);
      done.count_down();
    });
    done.wait();
    work(unit);
    threads.clear();
  } else if (is("lost")) { // one, then the other, which changes many atomics before it waits
    static std::promise<int> promise;
    others(1, [=](int) {
      work(4 * unit);
      promise.set_value(4);
    });
    usleep(100000);
    for (int i = 0; i < 2000; i++)
      numbers[i]++;
    work(promise.get_future().get() * unit);
  } else if (is("reused")) { // two in parallel, whose promises have the same address one after the other
    static std::mutex turn;
    others(2, [=](int) {
      std::lock_guard<std::mutex> lock(turn);
      work(unit);
      alignas(std::promise<void>) static char memory[sizeof(std::promise<void>)];
      auto* const promise = new (memory) std::promise<void>;
      promise->set_value();
      promise->get_future().get();
      promise->~promise();
    });
  } else if (is("beside")) { // a counter next to a semaphore, with room for both
    others(2, [=](int) {
      two.acquire();
      counted++;
      two.release();
      work(unit);
      two.acquire();
      counted--;
      two.release();
    });
  } else if (is("polled")) { // one, then the other, at once if it is ready
    static std::packaged_task<int()> task([=] {
      work(unit);
      return 1;
    });
    std::future<int> result = task.get_future();
    others(1, [=](int) { task(); });
    if (count == 2)
      threads.clear();
    if (result.wait_for(std::chrono::hours(1)) == std::future_status::ready)
      work(result.get() * unit);
  } else if (is("many")) { // one, then the other, which changes more atomics than are kept
    others(1, [=](int) {
      work(unit);
      numbers[0] = 1;
      numbers[0].notify_one();
    });
    numbers[0].wait(0);
    work(unit);
    for (auto& each : numbers)
      each++;
  } else if (is("backlog")) { // one, then the other, which takes the last of its units
    others(1, [=](int) {
      none.release(5000);
      work(20 * unit);
      none.release();
    });
    for (int i = 0; i <= 5000; i++)
      none.acquire();
    work(20 * unit);
  } else if (is("failed")) { // one, which changes nothing, in parallel with another
    others(1, [=](int) {
      work(unit);
      int expected = -1;
      number.compare_exchange_strong(expected, 7);
    });
    others(1, [=](int) {
      number = 1;
      number.notify_one();
    });
    number.wait(0);
    work(unit);
  } else if (is("counter")) { // counting orders nothing
    others(4, [=](int) {
      for (int i = 0; i < 100; i++) {
        work(unit / 100);
        counted++;
      }
    });
  } else if (is("forgotten")) { // changed before more atomics than are kept, then waited for
    others(1, [=](int) {
      number = 1;
      for (auto& each : numbers)
        each++;
    });
    usleep(100000);
    number.wait(0);
#ifdef WITH_LIBATOMIC
  } else if (is("odd")) { // one, then the other, by an atomic that is not a machine word
    struct Odd {
      char bytes[3];
    };
    std::atomic<Odd> odd(Odd{});
    others(1, [=, &odd](int) {
      work(unit);
      odd = Odd{{1, 2, 3}};
    });
    usleep(100000);
    odd.wait(Odd{});
    work(unit);
    threads.clear();
#endif
  } else if (is("unseen")) { // changed by something other than std::atomic
    others(1, [=](int) {
      work(unit);
      usleep(300000);
      asm volatile("movl $1, %0" : "=m"(number));
      number.notify_one();
    });
    number.wait(0);
    work(unit);
  }
}
