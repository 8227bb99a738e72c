#include "aprof/profile/profile.hpp"

[[gnu::noinline]] RoutineRecord& Profile::add_record(std::size_t table, RoutineId routine) {
  if (table >= threads_.size())
    threads_.resize(table + 1);
  ThreadRecords& records = threads_[table];
  const std::size_t of_routine = index(routine);
  if (of_routine >= records.size())
    records.resize(of_routine + 1);
  records[of_routine] = create<RoutineRecord>("aprof.profile.record", routine, options_);
  return *records[of_routine];
}

void Profile::add_counted() {
  for (const ThreadRecords& records : threads_)
    for (RoutineRecord* record : records)
      if (record != nullptr)
        record->add_counted();
  for (Context* context : contexts_.all())
    context->add_counted();
}

void Profile::clear() {
  for (ThreadRecords& records : threads_)
    for (RoutineRecord* record : records)
      destroy(record);
  threads_.clear();
  contexts_.clear();
}
