// Who is left of a circle from which every seventh leaves; the circle is a vector that closes up each time.
// culprit: erase, last_of, leave
#include <cstdio>
#include <list>
#include <string>
#include <vector>

class Circle {
#ifdef REPAIRED
  std::vector<int> next_;
  int before_;
  int left_;
#else
  std::vector<int> people_;
  size_t at_ = 0;
#endif

public:
  explicit Circle(int number) {
#ifdef REPAIRED
    for (int i = 0; i < number; i++) next_.push_back((i + 1) % number);
    before_ = number - 1;
    left_ = number;
#else
    for (int i = 0; i < number; i++) people_.push_back(i);
#endif
  }
  int leave(int step) {
#ifdef REPAIRED
    for (int i = 1; i < step; i++) before_ = next_[before_];
    int who = next_[before_];
    next_[before_] = next_[who];
    left_--;
    return who;
#else
    at_ = (at_ + step - 1) % people_.size();
    int who = people_[at_];
    people_.erase(people_.begin() + at_); // CULPRIT
    return who;
#endif
  }
  bool empty() const {
#ifdef REPAIRED
    return left_ == 0;
#else
    return people_.empty();
#endif
  }
};

static int last_of(int number) {
  Circle circle(number);
  int last = -1;
  while (!circle.empty()) last = circle.leave(7);
  return last;
}

int main() {
  long sum = 0;
  for (int number = 1000; number <= 12000; number += 1000) sum += last_of(number);
  std::printf("%ld\n", sum);
}
