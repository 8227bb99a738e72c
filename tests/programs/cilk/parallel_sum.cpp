// parallel_sum N: sums, products of lambdas and a list, by reducers and templates.
#include <cilk/cilk.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_opadd.h>
#include <cstdio>
#include <cstdlib>

template <class F> long sum_of(long begin, long end, F f) {
  if (end - begin < 8) {
    long sum = 0;
    for (; begin < end; ++begin)
      sum += f(begin);
    return sum;
  }
  long middle = begin + (end - begin) / 2;
  long left = cilk_spawn sum_of(begin, middle, f);
  long right = sum_of(middle, end, f);
  cilk_sync;
  return left + right;
}

int main(int argc, char** argv) {
  long n = argc > 1 ? std::atol(argv[1]) : 100;
  cilk::reducer<cilk::op_add<long>> sum;
  cilk::reducer<cilk::op_max<long>> greatest;
  cilk::reducer<cilk::op_list_append<long>> odd;
  cilk_for (long i = 0; i < n; ++i) {
    *sum += i;
    greatest->calc_max(i * (n - i));
    if (i % 2 == 0)
      continue;
    odd->push_back(i);
  }
  long squares = sum_of(0, n, [](long i) { return i * i; });
  std::printf("parallel_sum %ld\n%ld %ld %zu %ld\n", n, sum.get_value(), greatest.get_value(),
              odd.get_value().size(), squares);
  return 0;
}
