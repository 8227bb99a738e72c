#include "aprof/profile.hpp"

RoutineRecord& Profile::record(ThreadIndex thread, RoutineId routine) {
  const std::size_t of_thread = index(table_of(thread));
  if (of_thread >= threads_.size())
    threads_.resize(of_thread + 1);
  ThreadRecords& records = threads_[of_thread];
  const std::size_t of_routine = index(routine);
  if (of_routine >= records.size()) {
    records.reserve(of_routine + of_routine / 2 + 64);
    records.resize(of_routine + 1);
  }
  RoutineRecord*& record = records[of_routine];
  if (record == nullptr)
    record = create<RoutineRecord>("aprof.profile.record", routine, options_);
  return *record;
}

void RoutineRecord::add(const RoutineRecord& other) {
  calls += other.calls;
  callers.add(other.callers);
  if (alike_ && !other.alike_)
    part();
  rms_.add(other.rms_);
  if (!alike_)
    trms_.add(other.trms());
}

[[gnu::noinline]] void RoutineRecord::part() {
  trms_.add(rms_);
  alike_ = false;
}

void Profile::clear() {
  for (ThreadRecords& records : threads_)
    for (RoutineRecord* record : records)
      destroy(record);
  threads_.clear();
  contexts_.clear();
}
