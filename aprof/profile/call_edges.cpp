#include "aprof/profile/routine_record.hpp"

namespace {
u64 key_of(const RoutineRecord* caller) { return reinterpret_cast<u64>(caller); }
} // namespace

void Totals::add(const Totals& other) {
  calls += other.calls;
  unfinished += other.unfinished;
  induced_by_thread += other.induced_by_thread;
  induced_by_kernel += other.induced_by_kernel;
  inclusive += other.inclusive;
  nested += other.nested;
  self += other.self;
}

CallEdges::~CallEdges() {
  destroy(index_);
  while (CallEdge* edge = first_.next) {
    first_.next = edge->next;
    destroy(edge);
  }
}

[[gnu::noinline]] CallEdge& CallEdges::find_or_add(const RoutineRecord* caller) {
  if (size_ == 0) {
    size_ = 1;
    first_.caller = caller;
    return first_;
  }
  if (index_ == nullptr) {
    for (CallEdge* edge = &first_; edge != nullptr; edge = edge->next)
      if (edge->caller == caller)
        return *edge;
  } else if (CallEdge** edge = index_->find(key_of(caller))) {
    return **edge;
  }
  if (size_ == kLinear) {
    index_ = create<Index>("aprof.edges.index", "aprof.edges.index");
    for (CallEdge* edge = &first_; edge != nullptr; edge = edge->next)
      index_->insert(key_of(edge->caller), edge);
  }
  auto* added = create<CallEdge>("aprof.edges", CallEdge{caller, {}, first_.next});
  if (index_ != nullptr)
    index_->insert(key_of(caller), added);
  first_.next = added;
  size_++;
  return *added;
}

void CallEdges::add(const CallEdges& other) {
  other.for_each(
      [&](const CallEdge& edge) { from(representative_of(edge.caller)).add(edge.totals); });
}

Totals CallEdges::sum() const {
  Totals sum;
  for_each([&](const CallEdge& edge) { sum.add(edge.totals); });
  return sum;
}
