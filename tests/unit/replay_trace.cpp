// replay-trace FILE: replays the event trace of a run (--trace-file=) through the oracle, and
// writes a line for each recorded activation:
//
//   THREAD ROUTINE RETURNED OUTERMOST RMS TRMS INDUCED-THREAD INDUCED-EXTERNAL INCLUSIVE SELF
//   CHILDREN CALLER CONTEXT
//
// RETURNED is 0 if it was cut off or pending at the end. OUTERMOST is 1 if no other activation of
// the routine was pending in its logical thread. CHILDREN is the sum of its callees' RMS. CALLER is
// 0 if it was called by no recorded activation. CONTEXT is the routines on the path of its calling
// context, joined by `>`. For each execution of a loop, and for the iterations of one octave of
// ordinals:
//
//   loop THREAD LOOP RETURNED OUTERMOST RMS TRMS INDUCED-THREAD INDUCED-EXTERNAL INCLUSIVE SELF
//   CHILDREN ITERATIONS
//   octave THREAD LOOP LAST ITERATIONS RMS NEW COST
//
// CHILDREN is the sum of the iterations' RMS. The last line is `uncounted COST`.
#include "aprof/trace_file.hpp"
#include "loop_oracle.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

class Input {
public:
  explicit Input(const char* path) : file_(path, std::ios::binary) {
    if (!std::getline(file_, head_))
      fail("cannot be read");
    bytes_.assign(std::istreambuf_iterator<char>(file_), {});
  }

  const std::string& head() const { return head_; }
  bool ended() const { return next_ == bytes_.size(); }
  u8 byte() {
    if (ended())
      fail("is truncated");
    return static_cast<u8>(bytes_[next_++]);
  }
  u64 number() {
    u64 value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const u8 part = byte();
      value |= u64{part & 0x7Fu} << shift;
      if (part < 0x80)
        return value;
    }
  }
  [[noreturn]] static void fail(const char* what) {
    std::fprintf(stderr, "replay-trace: the trace %s\n", what);
    std::exit(1);
  }

private:
  std::ifstream file_;
  std::string head_;
  std::string bytes_;
  std::size_t next_ = 0;
};

class Replay {
public:
  Replay(Input& input, unsigned cell_shift) : input_(input), oracle_(cell_shift) {}

  void run() {
    while (!input_.ended())
      event(TraceEvent{input_.byte()});
    for (const auto& [number, thread] : threads_)
      cut_off(number);
    std::printf("uncounted %lld\n", uncounted_);
  }

private:
  struct Pending {
    u64 routine;
    bool collected;
    bool outermost;
    u64 caller;
    std::vector<u64> context;
  };
  struct Thread {
    u64 client_thread;
    std::vector<Pending> pending;
  };

  int thread_number() { return static_cast<int>(input_.number()); }
  void event(TraceEvent event);
  void call(u64 routine, bool collected);
  void cut_off(int number);
  static void print(const Thread& thread, const Pending& pending, bool returned,
                    const LoopOracle::Activation& activation) {
    if (!pending.collected)
      return;
    std::printf("%" PRIu64 " %" PRIu64 " %d %d ", thread.client_thread, pending.routine, returned,
                pending.outermost);
    print(activation.result, activation.callees_rms);
    std::printf("%" PRIu64 " ", pending.caller);
    for (std::size_t i = 0; i < pending.context.size(); i++)
      std::printf("%s%" PRIu64, i == 0 ? "" : ">", pending.context[i]);
    std::printf("\n");
  }
  static void print(const Oracle::Result& result, std::int64_t children) {
    for (const std::int64_t number :
         {result.rms, result.trms, result.induced_by_thread, result.induced_by_kernel,
          result.inclusive, result.self, children})
      std::printf("%" PRId64 " ", number);
  }
  void print_loops();

  void loop_is();
  Loop* loop() { return loops_.at(input_.number()).get(); }

  Input& input_;
  LoopOracle oracle_;
  std::map<u64, std::unique_ptr<Loop>> loops_{}; // by id
  std::map<int, Thread> threads_;
  int current_ = 0;
  long long uncounted_ = 0;
};

void Replay::call(u64 routine, bool collected) {
  Thread& thread = threads_[current_];
  bool outermost = true;
  for (const Pending& pending : thread.pending)
    outermost &= !(pending.collected && pending.routine == routine);
  const bool called = collected && !thread.pending.empty() && thread.pending.back().collected;
  std::vector<u64> context = called ? thread.pending.back().context : std::vector<u64>();
  context.erase(std::find(context.begin(), context.end(), routine), context.end());
  context.push_back(routine);
  thread.pending.push_back(
      {routine, collected, outermost, called ? thread.pending.back().routine : 0, context});
  oracle_.call(routine, collected);
}

void Replay::cut_off(int number) {
  Thread& thread = threads_[number];
  const std::vector<LoopOracle::Activation> so_far = oracle_.pending(number);
  for (std::size_t i = 0; i < thread.pending.size(); i++)
    print(thread, thread.pending[i], false, so_far[i]);
  thread.pending.clear();
  oracle_.cut_off(number);
  print_loops();
}

void Replay::print_loops() {
  for (const LoopOracle::Execution& of : oracle_.executions) {
    std::printf("loop %" PRIu64 " %u %d %d ", threads_[of.thread].client_thread, index(of.loop->id),
                of.returned, of.outermost);
    print(of.result, of.iterations_rms);
    std::printf("%" PRId64 "\n", of.iterations);
  }
  for (const LoopOracle::Octave& of : oracle_.octaves)
    std::printf("octave %" PRIu64 " %u %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
                "\n",
                threads_[of.thread].client_thread, index(of.loop->id), of.last, of.iterations,
                of.rms, of.new_cells, of.cost);
  oracle_.executions.clear();
  oracle_.octaves.clear();
}

void Replay::loop_is() {
  const auto id = static_cast<u32>(input_.number());
  const auto routine = static_cast<u32>(input_.number());
  const u64 parent = input_.number();
  auto& loop = loops_[id];
  if (loop == nullptr)
    loop.reset(new Loop{LoopId{id}, RoutineId{routine}, 0, 0});
  loop->parent = parent == 0 ? nullptr : loops_.at(parent).get();
  loop->leaf = input_.number() != 0;
}

void Replay::event(TraceEvent event) {
  switch (event) {
  case TraceEvent::cost: {
    const auto amount = static_cast<std::int64_t>(input_.number());
    if (current_ == 0 || oracle_.suspended() || oracle_.depth() == 0)
      uncounted_ += amount;
    else
      oracle_.cost(amount);
    return;
  }
  case TraceEvent::start_thread: {
    const int number = thread_number();
    threads_[number].client_thread = input_.number();
    return oracle_.start_thread(number);
  }
  case TraceEvent::end_thread: {
    const int number = thread_number();
    cut_off(number);
    threads_.erase(number);
    if (number == current_)
      current_ = 0;
    return oracle_.end_thread(number);
  }
  case TraceEvent::switch_thread:
    current_ = thread_number();
    return oracle_.switch_thread(current_);
  case TraceEvent::cut_off: return cut_off(thread_number());
  case TraceEvent::call: {
    const u64 routine = input_.number();
    return call(routine, input_.number() != 0);
  }
  case TraceEvent::return_: {
    Thread& thread = threads_[current_];
    print(thread, thread.pending.back(), true, oracle_.return_from_top());
    print_loops();
    return thread.pending.pop_back();
  }
  case TraceEvent::suspend: return oracle_.suspend();
  case TraceEvent::resume: return oracle_.resume();
  case TraceEvent::uncounted: uncounted_ += static_cast<long long>(input_.number()); return;
  case TraceEvent::drop_pending:
    for (auto& [number, thread] : threads_)
      for (Pending& pending : thread.pending)
        pending.collected = false;
    oracle_.drop_pending();
    uncounted_ = 0;
    std::printf("zero\n");
    return;
  case TraceEvent::loop_is: return loop_is();
  case TraceEvent::loop: return oracle_.at_header(*loop());
  case TraceEvent::in_loop: {
    const u64 innermost = input_.number();
    oracle_.in_loop(innermost == 0 ? nullptr : loops_.at(innermost).get(), input_.number());
    return;
  }
  case TraceEvent::loop_iteration: {
    const auto found = loops_.find(input_.number()); // may be in code that is never executed
    if (found != loops_.end())
      oracle_.iteration_counts(*found->second);
    return;
  }
  default: break;
  }
  const u64 address = input_.number();
  const u64 bytes = input_.number();
  switch (event) {
  case TraceEvent::read:
  case TraceEvent::kernel_read: return oracle_.read(address, bytes);
  case TraceEvent::write: return oracle_.write(address, bytes);
  case TraceEvent::kernel_write: return oracle_.kernel_write(address, bytes);
  case TraceEvent::map_external:
    oracle_.forget(address, bytes);
    return oracle_.kernel_write(address, bytes);
  case TraceEvent::forget: return oracle_.forget(address, bytes);
  case TraceEvent::move: return oracle_.move(address, bytes, input_.number());
  default: Input::fail("holds an unknown event");
  }
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: replay-trace FILE\n");
    return 2;
  }
  Input input(argv[1]);
  unsigned cell_shift;
  if (std::sscanf(input.head().c_str(), "aprof-trms-trace 1 %u", &cell_shift) != 1)
    Input::fail("is of another format or version");
  Replay(input, cell_shift).run();
}
