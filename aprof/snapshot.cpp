#include "aprof/snapshot.hpp"

Snapshot::Snapshot(const Engine& engine, const Profile& profile) : profile_(profile) {
  const bool contexts = profile.options().max_contexts > 0;
  for (const LogicalThread* thread : engine.threads())
    engine.for_each_pending_loop(*thread, [&](const Activation& execution, u64 iterations,
                                              const Sample& sample) {
      const RoutineRecord* const record = execution.record;
      add(by_loop_, key_of(record->representative, *execution.loop), execution, iterations, sample);
      if (contexts)
        add(by_loop_in_context_, key_of(record, *execution.loop), execution, iterations, sample);
    });
  for (const LogicalThread* thread : engine.threads())
    engine.for_each_pending(*thread, [&](const Activation& activation, const Sample& sample,
                                         const RoutineRecord* caller) {
      const auto routine = reinterpret_cast<u64>(activation.record->representative);
      CallEdges** edges = by_routine_.find(routine);
      if (edges == nullptr) {
        all_.push_back(create<CallEdges>("aprof.snapshot.edges"));
        edges = &by_routine_.insert(routine, all_.back());
      }
      (*edges)->from(representative_of(caller)).add_unfinished(sample, activation.outermost);
      if (!contexts)
        return;
      const auto context = reinterpret_cast<u64>(activation.record);
      Totals* totals = by_context_.find(context);
      if (totals == nullptr)
        totals = &by_context_.insert(context, {});
      totals->add_unfinished(sample, activation.outermost);
    });
}

Snapshot::~Snapshot() {
  for (CallEdges* edges : all_)
    destroy(edges);
}

void Snapshot::add(PendingLoops& to, u64 key, const Activation& execution, u64 iterations,
                   const Sample& sample) {
  LoopRecord::Sums* sums = to.find(key);
  if (sums == nullptr)
    sums = &to.insert(key, {});
  sums->add_unfinished(execution.outermost, iterations, sample);
}

Vector<Totals> Snapshot::context_totals() {
  const Vector<Context*>& contexts = profile_.contexts().all();
  Vector<Totals> totals("aprof.snapshot.totals");
  totals.resize(contexts.size());
  for (std::size_t i = 0; i < contexts.size(); i++) {
    totals[i] = contexts[i]->totals();
    if (const Totals* pending = by_context_.find(reinterpret_cast<u64>(contexts[i])))
      totals[i].add(*pending);
    totals[i].inclusive = totals[i].self;
  }
  for (std::size_t i = contexts.size(); i-- > 0;)
    if (!contexts[i]->is_root())
      totals[contexts[i]->parent->place].inclusive += totals[i].inclusive;
  return totals;
}
