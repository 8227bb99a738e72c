// Oracle for call edges and calling contexts: executes the definitions of docs/format-aprof.md,
// keeping every activation with its path. Slow and simple; independent of the tool's code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

class CallOracle {
public:
  static constexpr int kMerged = -1; // first element of the path of a merged context

  using Path = std::vector<int>; // routines, outermost first
  struct Edge {
    std::int64_t calls = 0, unfinished = 0, inclusive = 0, outermost = 0;
    bool operator==(const Edge&) const = default;
  };
  struct Context {
    std::int64_t calls = 0, unfinished = 0, inclusive = 0, self = 0;
    bool operator==(const Context&) const = default;
  };
  using Edges = std::map<std::vector<int>, Edge>;           // by thread, callee, caller or 0
  using Contexts = std::map<std::pair<int, Path>, Context>; // by thread

  explicit CallOracle(std::size_t max_contexts) : max_contexts_(max_contexts) {}

  void start(int stack, int thread) { stacks_[stack].thread = thread; }
  void switch_to(int stack) { current_ = stack; }
  void call(int routine, bool collected);
  void return_() {
    now().pending.back().returned = true;
    ended_.push_back(now().pending.back());
    now().pending.pop_back();
  }
  void cut_off(int stack) {
    for (const Activation& activation : stacks_[stack].pending)
      ended_.push_back(activation);
    stacks_[stack].pending.clear();
  }
  void cost(std::int64_t amount) {
    for (Activation& activation : now().pending)
      activation.inclusive += amount;
    if (!now().pending.empty())
      now().pending.back().self += amount;
  }
  // Everything so far is discarded.
  void zero();

  std::size_t depth() { return now().pending.size(); }
  Edges edges() const;
  Contexts contexts() const;

private:
  struct Activation {
    int thread, routine, caller;
    bool collected, outermost, returned;
    Path path;
    std::int64_t inclusive, self;
  };
  struct Stack {
    int thread = 0;
    std::vector<Activation> pending;
  };

  Stack& now() { return stacks_[current_]; }
  Path path_of_call(int thread, const Path& caller, int routine);
  template <typename F> void for_each(F f) const {
    for (const Activation& activation : ended_)
      if (activation.collected)
        f(activation);
    for (const auto& [number, stack] : stacks_)
      for (const Activation& activation : stack.pending)
        if (activation.collected)
          f(activation);
  }

  std::size_t max_contexts_;
  int current_ = 0;
  std::map<int, Stack> stacks_;
  std::vector<Activation> ended_;
  std::set<std::pair<int, Path>> known_; // contexts that are not merged
};

inline void CallOracle::call(int routine, bool collected) {
  Stack& stack = now();
  Activation activation{stack.thread, routine, 0, collected, true, false, {}, 0, 0};
  for (const Activation& other : stack.pending)
    activation.outermost &= !(other.collected && other.routine == routine);
  if (collected) {
    const bool called = !stack.pending.empty() && stack.pending.back().collected;
    activation.caller = called ? stack.pending.back().routine : 0;
    activation.path =
        path_of_call(stack.thread, called ? stack.pending.back().path : Path(), routine);
  }
  stack.pending.push_back(activation);
}

inline CallOracle::Path CallOracle::path_of_call(int thread, const Path& caller, int routine) {
  Path path = caller;
  if (const auto on_path = std::find(path.begin(), path.end(), routine); on_path != path.end()) {
    path.erase(on_path + 1, path.end());
    return path;
  }
  path.push_back(routine);
  if (path[0] == kMerged)
    return {kMerged, routine};
  if (known_.contains({thread, path}))
    return path;
  if (known_.size() == max_contexts_)
    return {kMerged, routine};
  known_.insert({thread, path});
  return path;
}

inline void CallOracle::zero() {
  ended_.clear();
  known_.clear();
  for (auto& [number, stack] : stacks_)
    for (Activation& activation : stack.pending)
      activation.collected = false;
}

inline CallOracle::Edges CallOracle::edges() const {
  Edges edges;
  for_each([&](const Activation& activation) {
    Edge& edge = edges[{activation.thread, activation.routine, activation.caller}];
    edge.calls++;
    edge.unfinished += !activation.returned;
    edge.inclusive += activation.inclusive;
    edge.outermost += activation.outermost ? activation.inclusive : 0;
  });
  return edges;
}

inline CallOracle::Contexts CallOracle::contexts() const {
  Contexts contexts;
  for_each([&](const Activation& activation) {
    Context& context = contexts[{activation.thread, activation.path}];
    context.calls++;
    context.unfinished += !activation.returned;
    context.self += activation.self;
    // The inclusive cost of every context on its path contains it.
    if (activation.path[0] == kMerged)
      context.inclusive += activation.self;
    else
      for (std::size_t length = 1; length <= activation.path.size(); length++)
        contexts[{activation.thread,
                  Path(activation.path.begin(), activation.path.begin() + length)}]
            .inclusive += activation.self;
  });
  return contexts;
}
