#include "work_span/order/spin_waits.hpp"

#include <utility>

namespace spin_waits {
namespace {

using shadow::Logical;

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

  void add(const Logical& thread);
};
Ended ended;
Vector<Logical*>* waiting; // that have waited so, and not ended

// Null: what runs is not the program's, or is alone.
Logical* program() {
  Logical* thread = shadow::running();
  if (shadow::threads() < 2)
    return nullptr;
  return thread == nullptr || thread->is_hidden() || thread->is_idle() ? nullptr : thread;
}

// The same at an event.
Logical* program_now() {
  if (shadow::threads() < 2)
    return nullptr;
  shadow::flush_log();
  return program();
}

// What the running thread has worked, settled or not: what it goes round stays to be taken back.
Work worked(const Logical& thread) { return thread.span->work + shadow::unsettled(); }

// Since its wait's latest sign, if there is one.
Work since_latest(const Logical& thread) {
  return thread.spin.lasts ? worked(thread) - thread.spin.at : SpanThread::kNever;
}

bool is_known_to_wait(const Logical& thread) {
  return thread.spin.lasts && thread.span->ordered_at <= thread.spin.at + kRound;
}

// What has ended with the wait's latest sign.
void Ended::add(const Logical& thread) {
  const shadow::SpinWait& wait = thread.spin;
  if (wait.lasts && wait.signs >= kSure && (wait.is_work || !is_known_to_wait(thread)))
    (wait.found != 0 ? found : without_partner)++;
}
Ended so_far() {
  Ended all = ended;
  if (waiting != nullptr)
    for (const Logical* thread : *waiting)
      all.add(*thread);
  return all;
}

// The running thread, once more.
void waits(Logical& thread, unsigned signs) {
  if (waiting == nullptr)
    waiting = create<Vector<Logical*>>("cilkshadow.spins", "cilkshadow.spins");
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
  Logical* thread = program_now();
  if (thread == nullptr)
    return;
  const Work round = shadow::by_clock(instructions, blocks);
  const bool again = since_latest(*thread) == round;
  if (again)
    shadow::was_no_work(round);
  waits(*thread, again ? kOfRound : 0);
}

void goes_round_by_calls() {
  Logical* thread = program_now();
  if (thread == nullptr)
    return;
  const Work round = since_latest(*thread);
  const bool again = thread->spin.is_work && round == thread->spin.round;
  waits(*thread, again ? kOfRound : 0);
  thread->spin.is_work = true;
  thread->spin.round = round;
}

void pauses() {
  Logical* thread = program_now();
  if (thread == nullptr)
    return;
  if (const Work since = since_latest(*thread); since <= kBetweenPauses)
    shadow::was_no_work(since);
  waits(*thread, kSure);
}

void yields() {
  if (Logical* thread = program_now())
    waits(*thread, kSure);
}

void sleeps() {
  if (Logical* thread = program_now())
    waits(*thread, kOfSleep);
}

bool is_waiting() {
  const Logical* thread = program();
  return thread != nullptr && thread->spin.signs > 0 && thread->spin.found == 0 &&
         since_latest(*thread) <= kRound;
}

void finds(GuestAddr address) {
  Logical& thread = *shadow::running();
  if (shadow::threads() < 2 || thread.is_idle())
    return;
  waits(thread, kSure);
  thread.spin.found = address;
}

void changes(GuestAddr address) {
  shadow::SpinWait& wait = shadow::running()->spin;
  wait.lasts &= wait.found != address;
}

void is_known(Logical& thread) { thread.spin.lasts = false; }

void before_end(Logical& thread) {
  ended.add(thread);
  forget(thread);
}

void forget(Logical& thread) {
  if (!std::exchange(thread.spin.listed, false))
    return;
  for (Logical*& listed : *waiting)
    if (listed == &thread)
      listed = waiting->back();
  waiting->pop_back();
}

u64 unseen() { return so_far().without_partner; }
u64 found() { return so_far().found; }

void forget_totals() {
  ended = {};
  if (waiting != nullptr)
    for (Logical* thread : *waiting)
      thread->spin.lasts = false;
}

} // namespace spin_waits
