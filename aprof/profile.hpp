// What is measured: one RoutineRecord per thread and routine, filled as activations return.
//
// Owns the records. A record lives until clear(); activations on shadow stacks point to theirs,
// so that a return needs no look-up.
#pragma once

#include "aprof/points.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"

// Chosen by the options, fixed for a run.
struct ProfileOptions {
  bool rms = true;
  bool trms = true;
  unsigned event_count = 1;
  CostEvent events[kCostEvents] = {CostEvent::basic_blocks, CostEvent::instructions};
  bool separate_threads = true;
  std::size_t max_points = 10000;
};

// Sums over activations, finished or not.
struct Totals {
  u64 induced_by_thread = 0;
  u64 induced_by_kernel = 0;
  Costs inclusive; // of outermost activations only: recursion never counts twice
  Costs self;

  void add(const Sample& sample, bool outermost);
};

struct RoutineRecord {
  RoutineRecord(RoutineId of, const ProfileOptions& options)
      : routine(of), rms(options.event_count, options.max_points),
        trms(options.event_count, options.max_points) {}

  RoutineId routine;
  u64 calls = 0;      // activations begun
  u64 unfinished = 0; // of them, those cut off by the end of their thread
  Totals totals;      // of those that returned or were cut off
  PointTable rms;
  PointTable trms;
};

class Profile {
public:
  explicit Profile(const ProfileOptions& options) : options_(options) {}
  ~Profile() { clear(); }
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  // The record of a routine in a thread; made on first use.
  RoutineRecord& record(ThreadIndex thread, RoutineId routine);

  // An activation returned, with these input sizes in cells.
  void collect(RoutineRecord& record, u64 rms, u64 trms, const Sample& sample, bool outermost);

  // Forgets all numbers; no shadow stack may hold a record.
  void clear();

  // Calls f(thread, record) for each record with an activation, by thread, then routine.
  template <typename F> void for_each(F f) const {
    for (std::size_t thread = 0; thread < threads_.size(); thread++)
      for (RoutineRecord* record : threads_[thread])
        if (record != nullptr && record->calls > 0)
          f(ThreadIndex{static_cast<u32>(thread)}, *record);
  }

  const ProfileOptions& options() const { return options_; }

private:
  using RecordsOfThread = Vector<RoutineRecord*>; // by RoutineId

  struct ThreadRecords : RecordsOfThread {
    ThreadRecords() : RecordsOfThread("aprof.profile.records") {}
  };

  const ProfileOptions& options_;
  Vector<ThreadRecords> threads_{"aprof.profile.threads"}; // by ThreadIndex
};
