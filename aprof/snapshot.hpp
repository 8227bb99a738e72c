// The numbers at one moment, as a profile file has them: everything that has ended, and everything
// pending as unfinished. The engine and the profile are not changed. Owns the call edges and totals
// of pending routines, contexts and loops; valid until the engine gets another event.
#pragma once

#include "aprof/engine/engine.hpp"
#include "aprof/profile/profile.hpp"

#include <algorithm>

class Snapshot {
public:
  Snapshot(const Engine& engine, const Profile& profile);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  // Calls f(thread, record, callers) for each thread and routine, in this order. `record` has the
  // calls and points, `callers` all call edges into the routine. Both are valid only during the
  // call.
  template <typename F> void for_each_table(F f);

  // Calls f(context, totals) for each context, by thread, parents first. The inclusive cost in
  // `totals` is the self cost of the context and of all contexts below it; `nested` is unused.
  template <typename F> void for_each_context(F f);

  // Calls f(thread, record, sums) for each thread and loop that was executed, by thread, routine,
  // and the order in which the routine's loops were found. `record` has the points and progress,
  // `sums` include pending executions. Both are valid only during the call.
  template <typename F> void for_each_loop(F f);
  // The same for the loops of a context: calls f(record, sums) for each that was executed in it.
  template <typename F> void for_each_loop_in(const Context& context, F f);

private:
  using PendingLoops = AddressMap<LoopRecord::Sums>;
  static u64 key_of(const RoutineRecord* record, const Loop& loop) {
    return reinterpret_cast<u64>(record) << 16 | (loop.number & 0xFFFF);
  }
  static void add(PendingLoops& to, u64 key, const Activation& execution, u64 iterations,
                  const Sample& sample);
  // Calls f(loop, sums) for those of the loops that were executed.
  template <typename F>
  static void for_each_of(const RoutineRecord& of, const RoutineRecord* key, PendingLoops& pending,
                          F f);
  Vector<Totals> context_totals(); // in the order of ContextTree::all()

  const Profile& profile_;
  AddressMap<CallEdges*> by_routine_{"aprof.snapshot"}; // by representative
  AddressMap<Totals> by_context_{"aprof.snapshot"};     // by record
  Vector<CallEdges*> all_{"aprof.snapshot"};
  PendingLoops by_loop_{"aprof.snapshot"};            // by representative and loop
  PendingLoops by_loop_in_context_{"aprof.snapshot"}; // by record and loop
};

template <typename F> void Snapshot::for_each_table(F f) {
  profile_.for_each([&](ThreadIndex thread, const RoutineRecord& record) {
    CallEdges** pending = by_routine_.find(reinterpret_cast<u64>(record.representative));
    if (pending == nullptr)
      return f(thread, record, record.callers());
    CallEdges callers;
    callers.add(record.callers());
    callers.add(**pending);
    f(thread, record, callers);
  });
}

template <typename F> void Snapshot::for_each_loop(F f) {
  profile_.for_each([&](ThreadIndex thread, const RoutineRecord& record) {
    for_each_of(
        record, record.representative, by_loop_,
        [&](const LoopRecord& loop, const LoopRecord::Sums& sums) { f(thread, loop, sums); });
  });
}

template <typename F> void Snapshot::for_each_loop_in(const Context& context, F f) {
  for_each_of(context, &context, by_loop_in_context_, f);
}

template <typename F>
void Snapshot::for_each_of(const RoutineRecord& of, const RoutineRecord* key, PendingLoops& pending,
                           F f) {
  for (const LoopRecord* loop : of.loops()) {
    if (loop == nullptr)
      continue;
    LoopRecord::Sums sums = loop->sums();
    if (const LoopRecord::Sums* of_pending = pending.find(key_of(key, loop->loop)))
      sums.add(*of_pending);
    if (sums.calls > 0)
      f(*loop, sums);
  }
}

template <typename F> void Snapshot::for_each_context(F f) {
  const Vector<Context*>& contexts = profile_.contexts().all();
  const Vector<Totals> totals = context_totals();
  Vector<u32> order("aprof.snapshot.order");
  for (u32 i = 0; i < contexts.size(); i++)
    order.push_back(i);
  std::sort(order.begin(), order.end(), [&](u32 a, u32 b) {
    return contexts[a]->thread != contexts[b]->thread ? contexts[a]->thread < contexts[b]->thread
                                                      : a < b;
  });
  for (const u32 i : order)
    if (contexts[i]->calls > 0)
      f(*contexts[i], totals[i]);
}
