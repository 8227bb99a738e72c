#include "work_span/order/spin_waits.hpp"

#include "base/lazy.hpp"

#include <utility>

namespace spin_waits {
namespace {

using shadow::Thread;

constexpr Work kRound = 1000;       // of such a loop, at most
constexpr Work kBetweenPauses = 64; // no more than that is no work

// What tells that a thread waits: it sleeps more than once, or goes round so often and does nothing
// else, as it does some thousand times in its turn.
constexpr unsigned kSure = 3;
constexpr unsigned kOfSleep = 2;
constexpr unsigned kOfRound = 1;

struct Ended {
  u64 without_partner = 0;
  u64 found = 0;

  void add(const Thread& thread);
};
Ended ended;
Lazy<Vector<Thread*>> waiting{"cilkshadow.spins"}; // that have waited so, and not ended

// Null: what runs is not the program's, or is alone.
Thread* program() {
  Thread* thread = shadow::running();
  if (shadow::threads() < 2)
    return nullptr;
  return thread == nullptr || thread->is_hidden() || thread->is_idle() ? nullptr : thread;
}

// The same at an event.
Thread* program_now() {
  if (shadow::threads() < 2)
    return nullptr;
  shadow::flush_log();
  return program();
}

// What the running thread has worked, accounted or not: what it goes round stays to be taken back.
Work worked(const Thread& thread) { return thread.span->work + shadow::unaccounted(); }

// Since its wait's latest sign, if there is one.
Work since_latest(const Thread& thread) {
  return thread.spin.lasts ? worked(thread) - thread.spin.at : SpanThread::kNever;
}

bool is_known_to_wait(const Thread& thread) {
  return thread.spin.lasts && thread.span->ordered_at <= thread.spin.at + kRound;
}

// What has ended with the wait's latest sign.
void Ended::add(const Thread& thread) {
  const shadow::SpinWait& wait = thread.spin;
  if (wait.lasts && wait.signs >= kSure && (wait.is_work || !is_known_to_wait(thread)))
    (wait.found != 0 ? found : without_partner)++;
}
Ended so_far() {
  Ended all = ended;
  for (const Thread* thread : *waiting)
    all.add(*thread);
  return all;
}

// The running thread, once more.
void waits(Thread& thread, unsigned signs) {
  shadow::SpinWait& wait = thread.spin;
  if (!std::exchange(wait.listed, true))
    waiting->push_back(&thread);
  const bool goes_on =
      (wait.is_work || !is_known_to_wait(thread)) && since_latest(thread) <= kRound;
  if (!goes_on) {
    ended.add(thread);
    wait = {.listed = true};
  }
  wait.signs += signs;
  wait.lasts = true;
  wait.found = 0;
  wait.at = worked(thread);
  thread.span->ordered_at = SpanThread::kNever;
}

} // namespace

void goes_round(u64 instructions, u64 blocks) {
  Thread* thread = program_now();
  if (thread == nullptr)
    return;
  const Work round = shadow::by_clock(instructions, blocks);
  const bool again = since_latest(*thread) == round;
  if (again)
    shadow::account_as_overhead(round);
  waits(*thread, again ? kOfRound : 0);
}

void goes_round_by_calls() {
  Thread* thread = program_now();
  if (thread == nullptr)
    return;
  const Work round = since_latest(*thread);
  const bool again = thread->spin.is_work && round == thread->spin.round;
  waits(*thread, again ? kOfRound : 0);
  thread->spin.is_work = true;
  thread->spin.round = round;
}

void pauses() {
  Thread* thread = program_now();
  if (thread == nullptr)
    return;
  if (const Work since = since_latest(*thread); since <= kBetweenPauses)
    shadow::account_as_overhead(since);
  waits(*thread, kSure);
}

void yields() {
  if (Thread* thread = program_now())
    waits(*thread, kSure);
}

void sleeps() {
  if (Thread* thread = program_now())
    waits(*thread, kOfSleep);
}

bool is_waiting() {
  const Thread* thread = program();
  return thread != nullptr && thread->spin.signs > 0 && thread->spin.found == 0 &&
         since_latest(*thread) <= kRound;
}

void finds(GuestAddr address) {
  Thread& thread = *shadow::running();
  if (shadow::threads() < 2 || thread.is_idle())
    return;
  waits(thread, kSure);
  thread.spin.found = address;
}

void changes(GuestAddr address) {
  shadow::SpinWait& wait = shadow::running()->spin;
  wait.lasts &= wait.found != address;
}

void is_known(Thread& thread) { thread.spin.lasts = false; }

void before_end(Thread& thread) {
  ended.add(thread);
  forget(thread);
}

void forget(Thread& thread) {
  if (!std::exchange(thread.spin.listed, false))
    return;
  for (Thread*& listed : *waiting)
    if (listed == &thread)
      listed = waiting->back();
  waiting->pop_back();
}

u64 unseen() { return so_far().without_partner; }
u64 found() { return so_far().found; }

void forget_totals() {
  ended = {};
  for (Thread* thread : *waiting)
    thread->spin.lasts = false;
}

} // namespace spin_waits
