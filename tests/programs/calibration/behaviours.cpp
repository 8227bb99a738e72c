// Mixtures, calls of one size, sizes that are not read, and input from threads and the kernel.
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#include "drive.h"

// law: none
ROUTINE long two_kinds(const int* a, int n, bool pairs) { // n for one caller, n^2 for the other
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a[i];
    if (pairs)
      for (int j = 0; j < n; ++j)
        sum += a[j] > a[i];
  }
  return sum;
}

// law: n
ROUTINE long calls_linear(const int* a, int n) { return two_kinds(a, n, false); }

// law: n^2
ROUTINE long calls_quadratic(const int* a, int n) { return two_kinds(a, n, true); }

// law: none
ROUTINE long command(const int* a, int n, int kind) { // statement kinds, each with its own sizes
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i];
  for (int i = 0; i < kind * kind * 40; ++i)
    sum += i ^ kind;
  return sum;
}

// law: none
ROUTINE long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

// law: none
ROUTINE long trial_division(long of) {
  long found = 0;
  for (long by = 2; by * by <= of; ++by)
    for (; of % by == 0; of /= by)
      ++found;
  return found;
}

// law: none
ROUTINE int first_matching(const int* a, int n) { // reads one of n cells
  return a[n / 2];
}

// law: n
ROUTINE long checksum_of_file(int file, int n) { // input by the kernel
  char buffer[512];
  long sum = 0;
  while (n > 0) {
    ssize_t got = read(file, buffer, std::min<size_t>(n, sizeof buffer));
    if (got <= 0)
      break;
    for (ssize_t i = 0; i < got; ++i)
      sum = sum * 31 + buffer[i];
    n -= int(got);
  }
  return sum;
}

// law: n^2
ROUTINE long compare_records_of_file(int file, int n) {
  std::vector<int> records(n);
  if (read(file, records.data(), n * sizeof(int)) <= 0)
    return 0;
  long sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      sum += (records[i] & 255) == (records[j] & 255);
  return sum;
}

static std::mutex mutex;
static std::condition_variable changed;
static std::vector<int> shared;
static int filled, turn;

// law: n
ROUTINE long consume(int n) { // input from another thread, which overwrites the buffer in each round
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += shared[i];
  return sum;
}

// law: n^2
ROUTINE long compare_of_thread(int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      sum += shared[i] > shared[j];
  return sum;
}

static void produce() {
  sizes(10, 300, [](int n) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return turn == 0; });
    for (int i = 0; i < n; ++i)
      shared[i] = i * 7 % n;
    filled = n;
    turn = 1;
    changed.notify_one();
  });
}

// law: n
ROUTINE long sum_now_and_then(const int* a, int n,
                              int call) { // every fifth also sums up three times
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i];
  if (call % 5 == 0)
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < n; ++i)
        sum += a[i] ^ k;
  return sum;
}

// law: n
ROUTINE long search_linear(const int* a, int n, int wanted) { // reads until it finds
  for (int i = 0; i < n; ++i)
    if (a[i] == wanted)
      return i;
  return -1;
}

// law: n
ROUTINE long search_binary(const int* a, int n, int wanted) { // n: the cells that it reads
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (a[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// law: n
ROUTINE long initialise_once(const int* a, int n) { // the first call costs a thousand others
  static std::vector<int> table;
  if (table.empty())
    for (int i = 0; i < 50000; ++i)
      table.push_back(i * i);
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] ^ table[i & 3];
  return sum;
}

// A linear part that costs as much as the other part in the middle of the sizes.
long digest(int number, int rounds) {
  long sum = number;
  for (int i = 0; i < rounds; ++i)
    sum = (sum * 31) ^ (sum >> 7) ^ i;
  return sum;
}

// law: n^2
ROUTINE long digest_and_pair(const int* a, int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += digest(a[i], 400);
    for (int j = 0; j < i; ++j)
      sum += a[i] == a[j];
  }
  return sum;
}

// law: n^2
ROUTINE long digest_and_walk(const int* a, int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += digest(a[i], 1500);
  for (int i = 0; i < n; ++i)
    for (int j = n; j > 0 && a[j - 1] != -1; --j)
      sum ^= a[j - 1];
  return sum;
}

// law: n^3
ROUTINE long pair_and_triple(const int* a, int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      sum += digest(a[i] ^ a[j], 40);
      for (int k = 0; k < j; ++k)
        sum += (a[i] ^ a[j]) < a[k];
    }
  return sum;
}

int main() {
  on_random([](int* a, int n) { kept = digest_and_pair(a, n); }, 150, 2000);
  on_random([](int* a, int n) { kept = digest_and_walk(a, n); }, 150, 1800);
  on_random([](int* a, int n) { kept = pair_and_triple(a, n); }, 20, 240);
  sizes(10, 300, [](int n) {
    std::vector<int> a = numbers(n);
    kept = calls_linear(a.data(), n);
    kept = calls_quadratic(a.data(), n + 1);
  });
  for (int kind = 1; kind < 7; ++kind)
    for (int n = 0; n < 5; ++n)
      kept = command(numbers(kind * 12 + n).data(), kind * 12 + n, kind);
  for (int n = 5; n < 15; ++n)
    kept = fibonacci(n);
  for (long n = 101; n < 100000; n = n * 3 / 2)
    kept = trial_division(n);
  sizes(10, 1000, [](int n) { kept = first_matching(numbers(n).data(), n); });
  FILE* file = std::tmpfile();
  std::vector<int> written = numbers(60000);
  std::fwrite(written.data(), sizeof(int), written.size(), file);
  std::fflush(file);
  sizes(100, 20000, [&](int n) {
    lseek(fileno(file), 0, SEEK_SET);
    kept = checksum_of_file(fileno(file), n);
  });
  sizes(10, 300, [&](int n) {
    lseek(fileno(file), 0, SEEK_SET);
    kept = compare_records_of_file(fileno(file), n);
  });
  shared.resize(1000);
  std::thread producer(produce);
  sizes(10, 300, [](int) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return turn == 1; });
    kept = consume(filled / 2) + compare_of_thread(filled);
    turn = 0;
    changed.notify_one();
  });
  producer.join();
  for (int call = 0; call < 60; ++call) {
    int n = 20 + call * 31 % 700;
    kept = sum_now_and_then(numbers(n).data(), n, call);
  }
  sizes(10, 3000, [](int n) {
    std::vector<int> a = numbers(n);
    kept = search_linear(a.data(), n, a[n - 1]);
    kept = initialise_once(a.data(), n);
  });
  for (int bits = 3; bits < 18; ++bits)
    kept = search_binary(ascending(1 << bits).data(), 1 << bits, 5);
}
