// replay-trace FILE: replays the event trace of a run (--trace-file=) through the oracle, and
// writes a line for each activation that was recorded:
//
//   THREAD ROUTINE RETURNED OUTERMOST RMS TRMS INDUCED-THREAD INDUCED-EXTERNAL INCLUSIVE SELF
//   CALLER CONTEXT
//
// RETURNED is 0 for one cut off or pending at the end, OUTERMOST 1 if no other activation of the
// routine was pending in its logical thread, CALLER 0 if none that was recorded called it, CONTEXT
// the routines on the path of its calling context, joined by `>`. The last line: `uncounted COST`.
#include "aprof/trace_file.hpp"
#include "oracle.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
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
                    const Oracle::Result& result) {
    if (!pending.collected)
      return;
    std::printf("%llu %llu %d %d %lld %lld %lld %lld %lld %lld %llu ",
                static_cast<unsigned long long>(thread.client_thread),
                static_cast<unsigned long long>(pending.routine), returned, pending.outermost,
                static_cast<long long>(result.rms), static_cast<long long>(result.trms),
                static_cast<long long>(result.induced_by_thread),
                static_cast<long long>(result.induced_by_kernel),
                static_cast<long long>(result.inclusive), static_cast<long long>(result.self),
                static_cast<unsigned long long>(pending.caller));
    for (std::size_t i = 0; i < pending.context.size(); i++)
      std::printf("%s%llu", i == 0 ? "" : ">", static_cast<unsigned long long>(pending.context[i]));
    std::printf("\n");
  }

  Input& input_;
  Oracle oracle_;
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
  oracle_.call();
}

void Replay::cut_off(int number) {
  Thread& thread = threads_[number];
  for (std::size_t i = 0; i < thread.pending.size(); i++)
    print(thread, thread.pending[i], false, oracle_.so_far(number, i));
  thread.pending.clear();
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
  case TraceEvent::cut_off: {
    const int number = thread_number();
    cut_off(number);
    return oracle_.cut_off(number);
  }
  case TraceEvent::call: {
    const u64 routine = input_.number();
    return call(routine, input_.number() != 0);
  }
  case TraceEvent::return_: {
    Thread& thread = threads_[current_];
    print(thread, thread.pending.back(), true, oracle_.return_from_top());
    return thread.pending.pop_back();
  }
  case TraceEvent::suspend: return oracle_.suspend();
  case TraceEvent::resume: return oracle_.resume();
  case TraceEvent::uncounted: uncounted_ += static_cast<long long>(input_.number()); return;
  case TraceEvent::drop_pending:
    for (auto& [number, thread] : threads_)
      for (Pending& pending : thread.pending)
        pending.collected = false;
    uncounted_ = 0;
    std::printf("zero\n");
    return;
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
