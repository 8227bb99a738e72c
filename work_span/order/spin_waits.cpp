#include "work_span/order/spin_waits.hpp"

#include "base/lazy.hpp"

#include <utility>

namespace spin_waits {
namespace {

using shadow::SpinWait;
using shadow::Thread;

constexpr Work kMostPerRound = 1000;    // of a waiting loop
constexpr Work kMostBetweenPauses = 64; // otherwise it is work

// Evidence for a wait. A pause or a yield is sufficient, and so is sleeping more than once, or
// three rounds with nothing in between; a waiting thread makes some thousand in its turn.
constexpr unsigned kSure = 3;
constexpr unsigned kOfSleep = 2;
constexpr unsigned kOfRound = 1;

struct Totals {
  u64 without_partner = 0;
  u64 found = 0;

  void add(const Thread& thread);
};
Totals ended;
Lazy<Vector<Thread*>> listed{"cilkshadow.spins"}; // they have waited in loops, and have not ended

// The running thread, if it executes the program's code and is not the only one.
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

// What the running thread has executed. It is not accounted, so that a round can still be
// subtracted; and it grows while nothing is measured, as waits there have an order, too.
Work worked(const Thread& thread) { return shadow::executed_by(thread); }

// The running thread's work since the latest sign of its wait, if there was any.
Work since_latest(const Thread& thread) {
  return thread.spin.lasts ? worked(thread) - thread.spin.at : SpanThread::kNever;
}

bool is_known_to_wait(const Thread& thread) {
  return thread.spin.lasts && thread.span->ordered_at <= thread.spin.at + kMostPerRound;
}

// Counts a wait that ended with its latest sign.
void Totals::add(const Thread& thread) {
  const SpinWait& wait = thread.spin;
  if (wait.lasts && wait.signs >= kSure && (wait.is_work || !is_known_to_wait(thread)))
    (wait.found != 0 ? found : without_partner)++;
}

Totals totals_now() {
  Totals all = ended;
  for (const Thread* thread : *listed)
    all.add(*thread);
  return all;
}

// Another sign that the running thread waits: it continues the previous wait or begins a new one.
void waits(Thread& thread, unsigned signs) {
  SpinWait& wait = thread.spin;
  if (!std::exchange(wait.listed, true))
    listed->push_back(&thread);
  const bool goes_on =
      (wait.is_work || !is_known_to_wait(thread)) && since_latest(thread) <= kMostPerRound;
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
  if (const Work since = since_latest(*thread); since <= kMostBetweenPauses)
    shadow::account_as_overhead(since);
  waits(*thread, kSure);
}

void library_pauses() {
  Thread* thread = shadow::running();
  if (thread == nullptr || thread->frames.empty() || !thread->frames.back().hidden ||
      thread->frames.back().spins)
    return;
  shadow::account();
  thread->frames.back().spins = true;
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
         since_latest(*thread) <= kMostPerRound;
}

void finds(GuestAddr address) {
  Thread& thread = *shadow::running();
  if (shadow::threads() < 2 || thread.is_idle())
    return;
  waits(thread, kSure);
  thread.spin.found = address;
}

void changes(GuestAddr address) {
  SpinWait& wait = shadow::running()->spin;
  wait.lasts &= wait.found != address;
}

void discard_wait(Thread& thread) { thread.spin.lasts = false; }

void before_end(Thread& thread) {
  ended.add(thread);
  forget(thread);
}

void forget(Thread& thread) {
  if (!std::exchange(thread.spin.listed, false))
    return;
  for (Thread*& other : *listed)
    if (other == &thread)
      other = listed->back();
  listed->pop_back();
}

u64 unseen() { return totals_now().without_partner; }
u64 found() { return totals_now().found; }

void forget_totals() {
  ended = {};
  for (Thread* thread : *listed)
    thread->spin.lasts = false;
}

} // namespace spin_waits
