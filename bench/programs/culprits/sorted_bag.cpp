// A bag of jobs of any type, sorted again whenever one comes in.
// culprit: put, plan, stable_sort
#include <algorithm>
#include <cstdio>
#include <deque>

template <class T, class Before> class Bag {
  std::deque<T> all_;
  Before before_;

public:
  explicit Bag(Before before) : before_(before) {}
  void put(T one) {
#ifdef REPAIRED
    all_.insert(std::upper_bound(all_.begin(), all_.end(), one, before_), std::move(one));
#else
    all_.push_back(std::move(one));
    std::stable_sort(all_.begin(), all_.end(), before_); // CULPRIT
#endif
  }
  const T& first() const { return all_.front(); }
};

struct Job {
  long due;
  int priority;
};

static long plan(int number) {
  Bag<Job, bool (*)(const Job&, const Job&)> jobs(
      [](const Job& a, const Job& b) { return a.due < b.due; });
  long sum = 0;
  for (int i = 0; i < number; i++) {
    jobs.put({i * 3L, i % 5});
    sum += jobs.first().due + i;
  }
  return sum;
}

int main() {
  long sum = 0;
  for (int number = 30; number <= 360; number += 30)
    sum += plan(number);
  std::printf("%ld\n", sum);
}
