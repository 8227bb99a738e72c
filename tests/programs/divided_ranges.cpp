// Parallel loops of oneTBB's templates. For each, prints its function, the number of its executions
// (0: unknown) and iterations (of the outermost loop in a part), and the units of work of all of
// them and of the largest.
#include <oneapi/tbb.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <vector>

namespace {

constexpr int kN = 200;

// 2 instructions for each unit.
[[gnu::noinline]] void work(long units) {
  asm volatile("1: dec %0\n\tjnz 1b" : "+r"(units) : : "cc");
}

long units(int i) { return 20 + i % 40; }

std::atomic<long> rows; // that parts begin

void say(const char* function, int begin, int end, int executions = 0) {
  long all = 0, largest = 0;
  for (int i = begin; i < end; i++) {
    all += units(i);
    largest = std::max(largest, units(i));
  }
  std::printf("%s %d %d %ld %ld\n", function, executions, end - begin, all, largest);
}

using Range = tbb::blocked_range<int>;

// The bodies differ, so that compilers do not fold them.
[[gnu::noinline]] void automatic() {
  tbb::parallel_for(Range(0, kN), [](const Range& range) {
    for (int i = range.begin(); i != range.end(); i++)
      work(units(i));
  });
  say("automatic", 0, kN);
}

[[gnu::noinline]] void simple() {
  tbb::parallel_for(
      Range(1, kN),
      [](const Range& range) {
        for (int i = range.begin(); i < range.end(); i++)
          work(units(i));
      },
      tbb::simple_partitioner());
  say("simple", 1, kN, kN - 1);
}

[[gnu::noinline]] void static_parts() {
  tbb::parallel_for(
      Range(0, kN),
      [](const Range& range) {
        int i = range.begin();
        do
          work(units(i));
        while (++i < range.end());
      },
      tbb::static_partitioner());
  say("static_parts", 0, kN);
}

[[gnu::noinline]] void two_dimensions() {
  using Range2d = tbb::blocked_range2d<int>;
  tbb::parallel_for(Range2d(0, 20, 0, 40), [](const Range2d& range) {
    rows += range.rows().size();
    for (int i = range.rows().begin(); i != range.rows().end(); i++)
      for (int j = range.cols().begin(); j != range.cols().end(); j++)
        work(20);
  });
  std::printf("two_dimensions 0 %ld %d 0\n", rows.load(), 20 * 40 * 20);
}

[[gnu::noinline]] void indexed() {
  tbb::parallel_for(2, kN, [](int i) { work(units(i)); });
  say("indexed", 2, kN);
}

[[gnu::noinline]] long sum() {
  const long found = tbb::parallel_reduce(
      Range(3, kN), 0L,
      [](const Range& range, long before) {
        for (int i = range.begin(); i != range.end(); i++) {
          work(units(i));
          before |= 1;
        }
        return before;
      },
      [](long a, long b) { return a + b; });
  say("sum", 3, kN);
  return found;
}

[[gnu::noinline]] void for_each() {
  std::vector<int> items(kN);
  for (int i = 0; i < kN; i++)
    items[i] = i;
  tbb::parallel_for_each(items.begin(), items.end(), [](int i) { work(units(i)); });
  say("for_each", 0, kN);
}

// A task of a group is no part of a loop.
[[gnu::noinline]] void group() {
  tbb::task_group tasks;
  for (int task = 0; task < 3; task++)
    tasks.run([] {
      for (int i = 0; i < kN; i++)
        work(units(i));
    });
  tasks.wait();
}

} // namespace

int main() {
  automatic();
  simple();
  static_parts();
  two_dimensions();
  indexed();
  const long found = sum();
  for_each();
  group();
  return found == 0;
}
