// KIND pipeline, NAMES check: a reader, a checker and a printer pass lines through queues; the checker is slow.
#include "queue.hpp"

#include <cstdio>
#include <thread>

enum { kLines = 120 };
#ifdef FIXED
enum { kRead = 900, kCheck = 900, kPrint = 900 };
#else
enum { kRead = 300, kCheck = 2100, kPrint = 300 };
#endif

static Queue<unsigned> lines, checked;

static unsigned spend(unsigned x, int rounds) {
  for (int i = 0; i < rounds; i++)
    x = x * 69069 + 1;
  return x;
}

static void read_lines() {
  for (int i = 0; i < kLines; i++)
    lines.push(spend(i, kRead));
}

static void check() {
  for (int i = 0; i < kLines; i++)
    checked.push(spend(lines.pop(), kCheck)); // CULPRIT
}

static void print_lines(unsigned* sum) {
  for (int i = 0; i < kLines; i++)
    *sum += spend(checked.pop(), kPrint);
}

int main() {
  unsigned sum = 0;
  std::thread reader(read_lines), checker(check), printer(print_lines, &sum);
  reader.join();
  checker.join();
  printer.join();
  std::printf("%u\n", sum);
}
