#include "work_span/dag/recorder.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <utility>

namespace {

constexpr Work kFirstGrain = 1000;
// From one loop to the next a thread executes some hundred instructions, which count to the next.
constexpr Work kBetweenLoops = 500;
// Strands shorter than the grain by this factor are not left by folding, unless nothing folds them.
constexpr Work kFine = 64;
constexpr Work kLargestGrain = Work{1} << 50;
constexpr u32 kMostPathsKept = 50'000; // in the end: some 20 bytes each in a profile
// The most overhead, in instructions, that counts between two pieces of the program's own code.
// libgomp takes 700 to begin a parallel region of four threads, the C library 1,600 to create a
// thread, 90 for a task; spinning at a barrier takes 11,000 and more.
constexpr Work kMostOverhead = 3000;
// The iterations of a parallel loop are one strand up to this much work.
constexpr Work kFewIterations = 20'000;
// A longer strand is cut at its next call or return, so that its early and late parts can be told
// apart.
constexpr Work kLongStrand = 100'000;

} // namespace

DagRecorder::Thread* DagRecorder::start() {
  Thread* thread = create<Thread>("cilkshadow.dag.threads");
  thread->number = threads_.size();
  threads_.push_back(thread);
  thread->positions.push_back(add_after(StrandId::none));
  return thread;
}

void DagRecorder::go_on_from(Thread& thread, const Thread& from, StrandId point) {
  make_room();
  if (!given_up_ && is_untouched(thread.position()) && strands_[thread.position()].before == 0) {
    order(point, thread.position());
  } else {
    strands_.unpin(thread.position());
    thread.position() = add_after(point);
  }
  thread.path = from.path;
}

StrandId DagRecorder::end(Thread* thread, Work now) {
  record(*thread, now);
  const StrandId last = thread->position();
  CHECK(thread->positions.size() == 1);
  thread->positions.clear();
  abandon(thread);
  return last;
}

void DagRecorder::abandon(Thread* thread) {
  for (const StrandId position : thread->positions)
    strands_.unpin(position);
  for (const Iterations& some : thread->iterations)
    for (const StrandId strand : {some.before, some.latest})
      if (strand != StrandId::none)
        strands_.unpin(strand);
  threads_.back()->number = thread->number;
  threads_.swap_remove(thread->number);
  destroy(thread);
}

void DagRecorder::record(Thread& thread, Work now) {
  if (now <= thread.recorded)
    return;
  const Work amount = now - std::exchange(thread.recorded, now);
  thread.overhead = 0;
  execute(thread, thread.path, amount);
}

// Once recording has been given up, everything is one strand.
StrandId DagRecorder::add_after(StrandId before) {
  if (!given_up_)
    return strands_.add(running_, before);
  if (before == StrandId::none) {
    if (rest_ == StrandId::none)
      rest_ = strands_.add(running_, before);
    before = rest_;
  }
  strands_.pin(before);
  return before;
}
void DagRecorder::order(StrandId before, StrandId after) {
  if (!given_up_)
    strands_.order(before, after);
}
StrandId DagRecorder::meet(StrandId one, StrandId other) {
  if (one == StrandId::none || other == StrandId::none)
    return one == StrandId::none ? other : one;
  if (!given_up_)
    return strands_.meet(one, other);
  strands_.unpin(other);
  return one;
}

void DagRecorder::cut(Thread& thread) {
  const StrandId before = thread.position();
  thread.position() = add_after(before);
  strands_.unpin(before);
}

void DagRecorder::cut_if_long(Thread& thread) {
  if (strands_[thread.position()].work < std::max(kLongStrand, grain_))
    return;
  make_room();
  cut(thread);
}

StrandId DagRecorder::end_strand(Thread& thread) {
  const StrandId here = thread.position();
  if (is_untouched(here) && strands_.only_before(here) != StrandId::none)
    return strands_.only_before(here);
  cut(thread);
  return here;
}

void DagRecorder::call(Thread& thread, Work now, SiteId site) {
  record(thread, now);
  cut_if_long(thread);
  thread.callers.push_back(thread.path);
  thread.path = paths_.called(thread.path, site);
}

void DagRecorder::return_(Thread& thread, Work now) {
  record(thread, now);
  thread.path = thread.callers.back();
  thread.callers.pop_back();
  cut_if_long(thread);
}

// Returns the iterations that one more with this work belongs to. Iterations are combined if they
// fork from the same strand; once there is a grain, also if their strands follow each other.
DagRecorder::Iterations& DagRecorder::iterations(Thread& thread, u64 waits, Work amount) {
  if (thread.iterations.empty() || thread.iterations.back().waits != waits)
    thread.iterations.emplace_back(waits, StrandId::none, StrandId::none);
  Iterations& some = thread.iterations.back();
  if (some.latest != StrandId::none) {
    const StrandId here = thread.position();
    const bool same_fork = is_untouched(here) && strands_.only_before(here) != StrandId::none &&
                           strands_.only_before(here) == strands_.only_before(some.latest);
    const bool is_short = strands_[some.latest].work + amount <= std::max(kFewIterations, grain_);
    if (is_short && (same_fork || grain_ > 0))
      return some;
    const StrandId ended = std::exchange(some.latest, StrandId::none);
    some.before = some.before == StrandId::none ? ended : meet(some.before, ended);
  }
  make_room();
  some.latest = add_after(end_strand(thread));
  return some;
}

void DagRecorder::add_overhead(Thread& thread, OverheadKind kind, Work amount) {
  amount = std::min(amount, kMostOverhead - thread.overhead);
  if (amount == 0)
    return;
  thread.overhead += amount;
  // The rest of a call after it has published is no strand of its own.
  StrandId strand = thread.position();
  if (const StrandId before = strands_.only_before(strand);
      is_untouched(strand) && before != StrandId::none &&
      strands_[before].thread == strands_[strand].thread)
    strand = before;
  strands_.add_overhead(strand, thread.path, kind, amount, paths_);
}

// Orders between threads

StrandId DagRecorder::publish(Thread& thread, Work now) {
  make_room();
  record(thread, now);
  const StrandId point = end_strand(thread);
  strands_.pin(point);
  return point;
}

void DagRecorder::observe(Thread& thread, Work now, StrandId point) {
  if (point == StrandId::none)
    return;
  make_room();
  record(thread, now);
  if (!is_untouched(thread.position()))
    cut(thread);
  order(point, thread.position());
}

void DagRecorder::acquire(Thread& thread, Work now, u32& lock) {
  if (is_alone(thread))
    return;
  make_room();
  record(thread, now);
  if (lock == 0)
    lock = ++locks_;
  if (!is_untouched(thread.position()))
    cut(thread);
  strands_[thread.position()].acquires = lock;
  thread.locks.push_back(lock);
}

void DagRecorder::release(Thread& thread, Work now, u32 lock) {
  u32* const held = std::find(thread.locks.begin(), thread.locks.end(), lock);
  if (held == thread.locks.end())
    return;
  thread.locks.swap_remove(static_cast<std::size_t>(held - thread.locks.begin()));
  make_room();
  record(thread, now);
  strands_[thread.position()].releases = lock;
  cut(thread);
}

void DagRecorder::begin_share(Thread& thread, Work now, const Share& share) {
  make_room();
  record(thread, now);
  const Strand& here = strands_[thread.position()];
  const bool is_between = here.share.is_undivided() && here.length() < kBetweenLoops;
  if (!is_untouched(thread.position()) && !is_between)
    cut(thread);
  strands_[thread.position()].share = share;
}

bool DagRecorder::withdraw_chunk(Thread& thread, u32 division, u64 number) {
  constexpr int kMostStrands = 4; // a signal ends one
  StrandId at = thread.position();
  for (int i = 0; i < kMostStrands && at != StrandId::none; i++) {
    Strand& strand = strands_[at];
    if (strand.share.division == division && strand.share.from == number &&
        strand.share.to == number + 1) {
      strand.share = {};
      return true;
    }
    at = StrandId::none;
    strands_.for_each_before(strand, [&](StrandId before) {
      if (strands_[before].thread == strand.thread)
        at = before;
    });
  }
  return false;
}

// The dag as a whole

void DagRecorder::fold(u32 most, u32 most_unfolded) {
  if (given_up_)
    return;
  folding_.fold(grain_);
  while (strands_.live() > most && grain_ < kLargestGrain && !has_fine_strands()) {
    grain_ = std::max(2 * grain_, kFirstGrain);
    folding_.fold(grain_);
  }
  given_up_ = strands_.live() > most_unfolded;
}

// Whether most of them are so far below the grain that they would have been folded.
bool DagRecorder::has_fine_strands() const {
  u32 fine = 0;
  for (u32 i = 1; i < strands_.end(); i++)
    if (const Strand& strand = strands_[StrandId{i}]; strand.is_used)
      fine += strand.length() < grain_ / kFine ? 1 : 0;
  return fine > strands_.live() / 2;
}

void DagRecorder::finish() {
  fold(most_, kUnfolded * most_);
  strands_.keep_largest_paths(kMostPathsKept, paths_);
}

void DagRecorder::restart() {
  strands_.forget_work();
  for (Thread* thread : threads_)
    thread->recorded = 0;
}
