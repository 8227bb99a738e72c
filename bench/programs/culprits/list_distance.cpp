// A round-robin scheduler whose ready list is counted in each round, by iterators.
// culprit: ready, run, distance, __distance
#include <cstdio>
#include <forward_list>
#include <iterator>
#include <memory>

class Task {
public:
  virtual ~Task() = default;
  virtual bool step() = 0;
};

class Countdown : public Task {
  int left_;

public:
  explicit Countdown(int steps) : left_(steps) {}
  bool step() override { return --left_ > 0; }
};

class Scheduler {
  std::forward_list<std::unique_ptr<Task>> tasks_;
  int number_ = 0;

public:
  void add(std::unique_ptr<Task> task) {
    tasks_.push_front(std::move(task));
    number_++;
  }
  int ready() const {
#ifdef REPAIRED
    return number_;
#else
    return int(std::distance(tasks_.begin(), tasks_.end())); // CULPRIT
#endif
  }
  int run() {
    int steps = 0;
    auto before = tasks_.before_begin();
    while (ready() > 0) {
      auto at = std::next(before);
      if (at == tasks_.end()) {
        before = tasks_.before_begin();
        continue;
      }
      steps++;
      if ((*at)->step()) {
        before = at;
      } else {
        tasks_.erase_after(before);
        number_--;
      }
    }
    return steps;
  }
};

int main() {
  long sum = 0;
  for (int number = 50; number <= 700; number += 50) {
    Scheduler scheduler;
    for (int i = 0; i < number; i++) scheduler.add(std::make_unique<Countdown>(1 + i % 4));
    sum += scheduler.run();
  }
  std::printf("%ld\n", sum);
}
