// Orders targets by their dependences; looks at all of them for the next that is ready.
// culprit: next_ready, order
#include <cstdio>
#include <vector>

struct Target {
  std::vector<int> users;
  int missing = 0;
  bool done = false;
};

static std::vector<Target> make_targets(int n) {
  std::vector<Target> targets(n);
  for (int i = 0; i + 1 < n; i++)
    for (int k = 1; k <= 2; k++) {
      int user = i + 1 + i * 31 * k % 7;
      if (user < n) {
        targets[n - 1 - i].users.push_back(n - 1 - user);
        targets[n - 1 - user].missing++;
      }
    }
  return targets;
}

#ifdef REPAIRED
static std::vector<int> ready;
static int next_ready(std::vector<Target>& targets) {
  static bool first = true;
  if (first)
    for (size_t i = 0; i < targets.size(); i++)
      if (targets[i].missing == 0) ready.push_back(static_cast<int>(i));
  first = false;
  if (ready.empty()) return -1;
  int at = ready.back();
  ready.pop_back();
  return at;
}
#else
static int next_ready(std::vector<Target>& targets) {
  for (size_t i = 0; i < targets.size(); i++) // CULPRIT
    if (!targets[i].done && targets[i].missing == 0) return static_cast<int>(i);
  return -1;
}
#endif

static std::vector<int> order(std::vector<Target>& targets) {
  std::vector<int> sequence;
  for (int at; (at = next_ready(targets)) >= 0;) {
    targets[at].done = true;
    sequence.push_back(at);
    for (int user : targets[at].users) {
      targets[user].missing--;
#ifdef REPAIRED
      if (targets[user].missing == 0) ready.push_back(user);
#endif
    }
  }
  return sequence;
}

int main() {
  auto targets = make_targets(2000);
  auto sequence = order(targets);
  long sum = 0;
  for (size_t i = 0; i < sequence.size(); i++) sum += static_cast<long>(i) * sequence[i] % 17;
  std::printf("%zu targets, %ld\n", sequence.size(), sum);
}
