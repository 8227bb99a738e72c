// What the calibration programs share: fresh inputs of growing size.
//
// Each routine that is judged has its law in a comment on the line above: `// law: n log n`. n is
// the input in cells, not what a textbook calls n: a k x k matrix has n = k^2.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <vector>

#define ROUTINE __attribute__((noinline))

inline unsigned next(unsigned& seed) { return (seed = seed * 1664525u + 1013904223u) >> 8; }

// Calls `use` with twelve sizes from `low` to `high`, evenly spaced by their logarithms.
template <class Use> void sizes(int low, int high, Use use) {
  double ratio = double(high) / low, size = low;
  double step = __builtin_exp2(__builtin_log2(ratio) / 11);
  for (int i = 0; i < 12; ++i, size *= step)
    use(int(size + 0.5));
}

inline std::vector<int> numbers(int count, unsigned seed = 7, int below = 1 << 20) {
  std::vector<int> made(count);
  for (int& number : made)
    number = int(next(seed) % unsigned(below));
  return made;
}

inline std::vector<int> ascending(int count) {
  std::vector<int> made(count);
  for (int i = 0; i < count; ++i)
    made[i] = i;
  return made;
}

// Calls a routine that takes an array and its length, with random numbers.
template <class Routine> void on_random(Routine routine, int low, int high) {
  sizes(low, high, [&](int n) {
    std::vector<int> input = numbers(n, 7u + unsigned(n));
    routine(input.data(), n);
  });
}

inline volatile long kept;
