#include "loop_oracle.hpp"

#include <algorithm>
#include <bit>

void LoopOracle::push(const Scope& scope) {
  now().push_back(scope);
  Oracle::call();
}

LoopOracle::Result LoopOracle::pop() {
  now().pop_back();
  return Oracle::return_from_top();
}

void LoopOracle::call(std::uint64_t routine, bool collected) { push({routine, collected}); }

LoopOracle::Activation LoopOracle::return_from_top() {
  while (now().back().loop != nullptr)
    end_execution();
  const Scope scope = now().back();
  Activation activation{pop(), scope.callees_rms};
  activation.result.self += scope.loops_self;
  if (!now().empty())
    now().back().callees_rms += activation.result.rms;
  return activation;
}

std::size_t LoopOracle::depth() {
  return static_cast<std::size_t>(std::count_if(
      now().begin(), now().end(), [](const Scope& scope) { return scope.loop == nullptr; }));
}

std::vector<LoopOracle::Activation> LoopOracle::pending(int thread) {
  std::vector<Activation> found;
  const std::vector<Scope>& scopes = scopes_[thread];
  for (std::size_t i = 0; i < scopes.size(); i++) {
    const Result& result = so_far(thread, i);
    if (scopes[i].loop == nullptr)
      found.push_back({result, 0});
    else
      found.back().result.self += result.self;
    found.back().result.self += scopes[i].loops_self;
  }
  return found;
}

void LoopOracle::leave_unfinished(int thread) {
  const std::vector<Scope>& scopes = scopes_[thread];
  std::int64_t self = 0; // of the visited scopes of one nest, innermost first
  for (std::size_t i = scopes.size(); i-- > 0;) {
    const Scope& scope = scopes[i];
    self += so_far(thread, i).self + scope.loops_self;
    if (scope.loop == nullptr)
      self = 0;
    else if (!scope.is_iteration && scope.collected) {
      executions.push_back({thread, scope.loop, false, scope.outermost, scope.iterations,
                            scope.iterations_rms, so_far(thread, i)});
      executions.back().result.self = self;
    }
  }
  scopes_[thread].clear();
}

void LoopOracle::cut_off(int thread) {
  leave_unfinished(thread);
  Oracle::cut_off(thread);
}

void LoopOracle::end_thread(int thread) {
  leave_unfinished(thread);
  Oracle::end_thread(thread);
}

void LoopOracle::drop_pending() {
  for (auto& [thread, scopes] : scopes_)
    for (Scope& scope : scopes)
      scope.collected = false;
}

bool LoopOracle::runs(std::uint64_t routine) {
  return !now().empty() && now().back().collected && now().back().routine == routine;
}

void LoopOracle::end_loops_around(const Loop* innermost) {
  while (now().back().loop != nullptr && !now().back().loop->contains(innermost))
    end_execution();
}

void LoopOracle::at_header(const Loop& loop) {
  if (!runs(index(loop.routine)))
    return;
  end_loops_around(&loop);
  const Scope& top = now().back();
  if (top.loop != &loop) {
    begin(loop, false);
  } else if (top.is_iteration) {
    // It continues until the first iteration is counted.
    if (!top.counts && now()[now().size() - 2].iterations == 0)
      return;
    end_iteration();
    Scope& execution = now().back();
    if (execution.octave.iterations > 0 &&
        std::has_single_bit(static_cast<std::uint64_t>(execution.iterations) + 1)) {
      end_octave(execution);
      execution.octave = {};
    }
    begin_iteration(false);
  } else if (!loop.leaf && top.iterations != 0) { // a leaf until now
    begin_iteration(false);
  }
}

void LoopOracle::in_loop(const Loop* innermost, std::uint64_t routine) {
  if (!runs(routine))
    return;
  end_loops_around(innermost);
  if (innermost != nullptr && now().back().loop != innermost)
    begin(*innermost, true);
}

void LoopOracle::iteration_counts(const Loop& loop) {
  if (!now().empty() && now().back().loop == &loop)
    count(now().back());
}

void LoopOracle::count(Scope& top) {
  if (top.is_iteration)
    top.counts = true;
  else
    top.iterations++;
}

// If control enters an inner loop, it is in the body of the outer one.
void LoopOracle::begin(const Loop& loop, bool in_body) {
  if (loop.parent != nullptr) {
    if (now().back().loop != loop.parent)
      begin(*loop.parent, true);
    if (now().back().is_iteration)
      now().back().counts = true;
    else
      now().back().iterations |= 1;
  }
  Scope scope{now().back().routine, true, &loop};
  scope.outermost = std::none_of(now().begin(), now().end(), [&](const Scope& pending) {
    return pending.loop == &loop && pending.collected;
  });
  push(scope);
  if (!loop.leaf)
    begin_iteration(in_body);
  else
    now().back().iterations = in_body;
}

void LoopOracle::begin_iteration(bool counts) {
  const Scope& execution = now().back();
  Scope iteration{execution.routine, execution.collected, execution.loop, true, counts};
  iteration.rms_before = so_far(current(), now().size() - 1).rms;
  push(iteration);
}

void LoopOracle::end_iteration() {
  const Scope iteration = now().back();
  const Result result = pop();
  Scope& execution = now().back();
  execution.loops_self += result.self + iteration.loops_self;
  execution.callees_rms += iteration.callees_rms;
  execution.octave.new_cells += so_far(current(), now().size() - 1).rms - iteration.rms_before;
  execution.octave.cost += result.inclusive;
  if (!iteration.counts)
    return;
  execution.iterations++;
  execution.iterations_rms += result.rms;
  execution.octave.iterations++;
  execution.octave.rms += result.rms;
}

void LoopOracle::end_octave(const Scope& execution) {
  if (!execution.collected)
    return;
  octaves.push_back(execution.octave);
  octaves.back().thread = current();
  octaves.back().loop = execution.loop;
  octaves.back().last = execution.iterations;
}

void LoopOracle::end_execution() {
  const bool has_iterations = now().back().is_iteration;
  if (has_iterations)
    end_iteration();
  const Scope execution = now().back();
  Result result = pop();
  result.self += execution.loops_self;
  now().back().loops_self += result.self;
  now().back().callees_rms += execution.callees_rms;
  if (!execution.collected || execution.iterations == 0)
    return;
  executions.push_back({current(), execution.loop, true, execution.outermost, execution.iterations,
                        execution.iterations_rms, result});
  if (has_iterations)
    end_octave(execution);
}
