// Oracle for loops: executes their definitions. An execution of a loop is one more activation on
// the oracle's stack, above that of its routine, and so is each of its iterations unless the loop
// is a leaf.
//
// They begin and end with the events of the trace: control is at a loop's header, is in a loop or
// in none, or is where an iteration is counted. Shares only the description of loops with the
// engine.
#pragma once

#include "oracle.hpp"
#include "trace/loops/loop.hpp"

class LoopOracle : public Oracle {
public:
  struct Execution {
    int thread;
    const Loop* loop;
    bool returned;                   // neither cut off nor pending at the end
    bool outermost;                  // no other execution of the loop was pending
    std::int64_t iterations = 0;     // completed; for a leaf, all that were counted
    std::int64_t iterations_rms = 0; // sum over the iterations
    Result result{};                 // self cost excludes calls, but includes inner loops
  };
  // The iterations of one execution whose ordinals have the same most significant binary digit,
  // including failed tests of the condition after them.
  struct Octave {
    int thread;
    const Loop* loop;
    std::int64_t last; // ordinal
    std::int64_t iterations = 0, rms = 0, new_cells = 0, cost = 0;
  };
  struct Activation {
    Result result;            // self cost includes loops
    std::int64_t callees_rms; // sum over callees
  };

  using Oracle::Oracle;

  void call(std::uint64_t routine, bool collected);
  Activation return_from_top();
  std::size_t depth(); // pending routines
  void cut_off(int thread);
  void end_thread(int thread);
  // The pending activations of routines so far, outermost first.
  std::vector<Activation> pending(int thread);
  void drop_pending(); // no longer collected

  void at_header(const Loop& loop);
  void in_loop(const Loop* innermost, std::uint64_t routine); // null: in none
  void iteration_counts(const Loop& loop);

  // What has ended in collected activations. Readers clear these.
  std::vector<Execution> executions;
  std::vector<Octave> octaves;

private:
  struct Scope {
    std::uint64_t routine;
    bool collected;
    const Loop* loop = nullptr; // null: an activation of the routine
    bool is_iteration = false;
    bool counts = false; // an iteration that is counted
    bool outermost = false;
    std::int64_t loops_self = 0; // of inner loops that have ended
    std::int64_t callees_rms = 0;
    std::int64_t rms_before = 0; // for an iteration: that of its execution
    std::int64_t iterations = 0; // this and the following: for an execution
    std::int64_t iterations_rms = 0;
    Octave octave{};
  };

  std::vector<Scope>& now() { return scopes_[current()]; }
  void push(const Scope& scope);
  Result pop();
  bool runs(std::uint64_t routine);
  void end_loops_around(const Loop* innermost);
  void begin(const Loop& loop, bool in_body);
  void count(Scope& top);
  void begin_iteration(bool counts);
  void end_iteration();
  void end_octave(const Scope& execution);
  void end_execution();
  void leave_unfinished(int thread);

  std::map<int, std::vector<Scope>> scopes_;
};
