// The profile: one RoutineRecord for each thread and routine, or for each calling context, filled
// as activations return.
//
// Owns the records. A record lives until clear(); activations on shadow stacks point to theirs, so
// that a return needs no lookup.
#pragma once

#include "aprof/profile/contexts.hpp"
#include "aprof/profile/routine_record.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"

#include <span>

class Profile {
public:
  explicit Profile(const ProfileOptions& options) : options_(options) {}
  ~Profile() { clear(); }
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  // The record of a routine in a thread; created on first use.
  RoutineRecord& record(ThreadIndex thread, RoutineId routine) {
    const std::size_t table = index(table_of(thread));
    if (table < threads_.size() && index(routine) < threads_[table].size())
      if (RoutineRecord* known = threads_[table][index(routine)])
        return *known;
    return add_record(table, routine);
  }
  // The records of a thread, by routine; some are null. Valid until another record is created.
  std::span<RoutineRecord*> records(ThreadIndex thread) {
    const std::size_t table = index(table_of(thread));
    if (table >= threads_.size())
      return {};
    return {threads_[table].begin(), threads_[table].size()};
  }
  // In a run with contexts: the record of a routine that is called by an activation with the record
  // `caller`, or null if that is not recorded.
  RoutineRecord& record_in_context(ThreadIndex thread, RoutineRecord* caller, RoutineId routine) {
    return contexts_.called(table_of(thread), static_cast<Context*>(caller), routine);
  }

  // Forgets all numbers. No shadow stack may refer to a record.
  void clear();

  // Call before records are read: see RoutineRecord.
  void add_counted();

  // Calls f(thread, record) for each thread and routine with an activation, in this order. With
  // contexts, the record is their sum and valid only during the call.
  template <typename F> void for_each(F f) const;
  // Calls f(record) for each record as it was filled, in any order.
  template <typename F> void for_each_part(F f) const;

  const ContextTree& contexts() const { return contexts_; }
  const ProfileOptions& options() const { return options_; }

private:
  using RecordsOfThread = Vector<RoutineRecord*>; // by RoutineId

  struct ThreadRecords : RecordsOfThread {
    ThreadRecords() : RecordsOfThread("aprof.profile.records") {}
  };

  ThreadIndex table_of(ThreadIndex thread) const {
    return options_.separate_threads ? thread : ThreadIndex{1};
  }

  RoutineRecord& add_record(std::size_t table, RoutineId routine);

  const ProfileOptions& options_;
  Vector<ThreadRecords> threads_{"aprof.profile.threads"}; // by ThreadIndex
  ContextTree contexts_{options_};
};

template <typename F> void Profile::for_each(F f) const {
  for (std::size_t thread = 0; thread < threads_.size(); thread++)
    for (const RoutineRecord* record : threads_[thread])
      if (record != nullptr && record->calls > 0)
        f(ThreadIndex{static_cast<u32>(thread)}, *record);
  const Vector<const Context*> parts = contexts_.by_routine();
  for (std::size_t first = 0, last = 0; first < parts.size(); first = last) {
    RoutineRecord sum(parts[first]->routine, options_);
    sum.representative = parts[first]->representative;
    for (; last < parts.size() && parts[last]->representative == sum.representative; last++)
      sum.add(*parts[last]);
    if (sum.calls > 0)
      f(parts[first]->thread, sum);
  }
}

template <typename F> void Profile::for_each_part(F f) const {
  for (const ThreadRecords& records : threads_)
    for (const RoutineRecord* record : records)
      if (record != nullptr)
        f(*record);
  for (const Context* context : contexts_.all())
    f(*context);
}
