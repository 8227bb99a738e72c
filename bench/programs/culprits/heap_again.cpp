// A queue of jobs by urgency that makes a new heap for each job.
// culprit: push, run_jobs
#include <algorithm>
#include <cstdio>
#include <vector>

struct Job {
  int urgency, id;
  bool operator<(const Job& other) const { return urgency < other.urgency; }
};

class JobQueue {
  std::vector<Job> jobs_;

public:
  void push(const Job& job) {
    jobs_.push_back(job);
#ifdef REPAIRED
    std::push_heap(jobs_.begin(), jobs_.end());
#else
    std::make_heap(jobs_.begin(), jobs_.end()); // CULPRIT
#endif
  }
  Job pop() {
    std::pop_heap(jobs_.begin(), jobs_.end());
    Job job = jobs_.back();
    jobs_.pop_back();
    return job;
  }
};

static long run_jobs(int n) {
  JobQueue queue;
  for (int i = 0; i < n; i++) queue.push({i * 7919 % 1009, i});
  long sum = 0;
  for (int i = 0; i < n; i++) sum += queue.pop().id % (i + 1);
  return sum;
}

int main() {
  long sum = 0;
  for (int n = 100; n <= 1000; n += 100) sum += run_jobs(n);
  std::printf("%ld\n", sum);
}
