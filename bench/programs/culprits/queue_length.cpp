// A scheduler that counts its forward list to know how long it is.
// culprit: length, schedule
#include <cstdio>
#include <forward_list>
#include <iterator>

struct Task {
  int id, steps;
};

class Scheduler {
  std::forward_list<Task> tasks_;
  int count_ = 0;

public:
  void submit(Task task) {
    tasks_.push_front(task);
    count_++;
  }
  long length() const {
#ifdef REPAIRED
    return count_;
#else
    return std::distance(tasks_.begin(), tasks_.end()); // CULPRIT
#endif
  }
  long run() {
    long done = 0;
    for (const auto& task : tasks_)
      for (int i = 0; i < task.steps; i++) done += i & task.id;
    return done;
  }
};

static long schedule(int n) {
  Scheduler scheduler;
  long longest = 0;
  for (int i = 0; i < n; i++) {
    scheduler.submit({i, 20});
    if (scheduler.length() > longest) longest = scheduler.length();
  }
  return longest + scheduler.run();
}

int main() { std::printf("%ld\n", schedule(2500)); }
