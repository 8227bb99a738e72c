// All kinds of spawned calls, and all ways out of scopes and loops, with cilk/cilk.h.
#include <cilk/cilk.h>
#include <cilk/cilkscale.h>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
static int total;
static void add(int x) { total += x; }
struct Big {
  long v[4];
  ~Big() { add(1); }
  Big(long a) : v{a, a, a, a} {}
  Big(const Big& o) {
    for (int i = 0; i < 4; i++)
      v[i] = o.v[i];
  }
  Big& operator=(const Big&) = default;
};
static Big big(long x) { return Big(x); }
static int thrower(int x) {
  if (x)
    throw std::runtime_error("thrown");
  return 1;
}
struct Tree {
  int n;
  int sum(int d) const {
    if (!d)
      return n;
    int a = cilk_spawn sum(d - 1);
    int b = this->sum(d - 1);
    cilk_sync;
    return a + b;
  }
  int& ref() { return n; }
};
template <class T> T fib(T n) {
  if (n < 2)
    return n;
  T a = cilk_spawn fib<T>(n - 1), b = fib(n - 2);
  cilk_sync;
  return a + b;
}
template <class It, class F> void each(It b, It e, F f) {
  cilk_for (It i = b; i != e; ++i) {
    f(*i);
  }
}
static int leave(int n) {
  cilk_for (int i = 0; i < n; ++i)
    if (i == 3)
      return i;
  return -1;
}
static int leave_scope(int n) {
  cilk_scope {
    cilk_spawn add(n);
    if (n)
      return 7;
  }
  return 8;
}
static std::unique_ptr<int> make(std::string s) { return std::unique_ptr<int>(new int(s.size())); }
int main() {
  cilk_spawn add(1);
  Big b = cilk_spawn big(3);
  b = cilk_spawn big(4);
  auto l = [&](int k) {
    int r = cilk_spawn fib(k);
    cilk_sync;
    return r;
  };
  int lam = cilk_spawn[&](int z) {
    add(z);
    return z + 1;
  }
  (5);
  cilk_spawn[&] { add(b.v[0]); }
  ();
  std::unique_ptr<int> u = cilk_spawn make(std::string("abcd"));
  Tree t{2};
  int& r = cilk_spawn t.ref();
  r = 3;
  int m = cilk_spawn t.sum(3);
  void (*fp)(int) = add;
  cilk_spawn fp(2);
  try {
    int z = cilk_spawn thrower(1);
    cilk_sync;
    add(z);
  } catch (const std::exception& e) {
    printf("%s\n", e.what());
  }
  cilk_sync;
  printf("%d %ld %d %d %d %d\n", total, b.v[3], l(10), lam, *u, m);
  if (m)
    cilk_scope {
      cilk_spawn add(5);
      add(6);
    }
  else
    add(100);
  if (m)
    cilk_for (int i = 0, j = 10; i < j; ++i, --j) {
      if (i == 1)
        continue;
      add(i * j);
    }
  else
    add(100);
  for (int i = 0; i < 5; ++i) {
    cilk_scope {
      cilk_spawn add(i);
      if (i == 1)
        continue;
      if (i == 3)
        break;
      cilk_scope { add(1000); }
    }
    add(10000);
  }
  {
    int c = leave(10), d = leave_scope(1);
    printf("%d %d %d\n", total, c, d);
  }
  std::vector<int> v{1, 2, 3};
  each(v.begin(), v.end(), [](int& x) { x *= 2; });
  cilk_for (auto& x : v)
    add(x);
#if __cplusplus >= 201402L
  auto g = [](auto self, auto n) -> decltype(n) {
    if (n < 2)
      return n;
    auto a = cilk_spawn self(self, n - 1);
    auto c = self(self, n - 2);
    cilk_sync;
    return a + c;
  };
  add(g(g, 7L) - 13);
#endif
  printf("%d\n", total);
  wsp_t measured = wsp_getworkspan();
  measured += wsp_getworkspan() - measured;
  std::cout << measured + wsp_zero();
  wsp_dump(measured, "nothing");
}
