// What is measured of one routine in one thread or, with --contexts=yes, in one calling context.
#pragma once

#include "aprof/call_edges.hpp"
#include "aprof/points.hpp"
#include "base/types.hpp"

// Chosen by the options, fixed for a run.
struct ProfileOptions {
  bool rms = true;
  bool trms = true;
  unsigned event_count = 1;
  CostEvent events[kCostEvents] = {CostEvent::basic_blocks, CostEvent::instructions};
  CostEvent work_event = CostEvent::basic_blocks; // what work and span are counted in
  bool separate_threads = true;
  std::size_t max_points = 10000;
  std::size_t max_contexts = 0; // 0: records are by routine, not by context
};

// Activations of a routine come in runs that are all alike, more often than not (64 of 100 of
// sqlite3's): those of a run are counted, and added when it has ended or is asked for.
class RoutineRecord {
public:
  RoutineRecord(RoutineId of, const ProfileOptions& options)
      : routine(of), options_(options), rms_(options.event_count, options.max_points),
        trms_(options.event_count, options.max_points), alike_(options.rms && options.trms) {}

  // An activation that `caller` called returned, with these input sizes.
  void add(const RoutineRecord* caller, bool outermost, u64 rms, u64 trms, const Sample& sample) {
    end_run();
    callers_.from(caller).add(sample, outermost);
    to_tables(rms, trms,
              [&](PointTable& points, u64 size) { points.add(size, sample, options_.events); });
  }
  // The same of one that met nothing induced, of a run that measures one cost event.
  [[gnu::always_inline]] void add_usual(const RoutineRecord* caller, bool outermost, u64 size,
                                        u64 inclusive, u64 self) {
    if (run_.inclusive != inclusive || run_.self != self || run_.size != size ||
        run_.caller != caller || run_.outermost != outermost) [[unlikely]]
      begin_run(caller, outermost, size, inclusive, self);
    else
      run_.times++;
  }
  // One that was cut off.
  void add_unfinished(const RoutineRecord* caller, bool outermost, const Sample& sample) {
    end_run();
    callers_.from(caller).add_unfinished(sample, outermost);
  }
  void add(const RoutineRecord& other); // the same routine in another context

  Totals totals() const { return callers().sum(); }
  const CallEdges& callers() const {
    end_run();
    return callers_;
  }
  const PointTable& rms() const {
    end_run();
    return rms_;
  }
  const PointTable& trms() const {
    end_run();
    return alike_ ? rms_ : trms_;
  }

  RoutineId routine;
  u64 calls = 0; // activations begun
  // The one record that stands for all of its thread and routine: the first.
  const RoutineRecord* representative = this;

private:
  struct Run {
    u64 times = 0; // not added yet
    u64 inclusive = 0;
    u64 self = 0;
    u64 size = 0; // the RMS, and the TRMS
    const RoutineRecord* caller = nullptr;
    bool outermost = false;
  };

  [[gnu::noinline]] void begin_run(const RoutineRecord* caller, bool outermost, u64 size,
                                   u64 inclusive, u64 self) {
    end_run();
    run_ = {1, inclusive, self, size, caller, outermost};
  }
  void end_run() const {
    if (run_.times != 0)
      add_run();
  }
  void add_run() const;
  // Calls add(table, size) for the tables that an activation with these input sizes enters.
  template <typename Add> void to_tables(u64 rms, u64 trms, Add add) const {
    if (alike_) {
      if (rms == trms) [[likely]]
        return add(rms_, rms);
      part();
    }
    if (options_.rms)
      add(rms_, rms);
    if (options_.trms)
      add(trms_, trms);
  }
  void part() const; // the two tables

  // Reading ends a run, so all that runs are added to is mutable.
  mutable Run run_;
  const ProfileOptions& options_;
  mutable CallEdges callers_;
  mutable PointTable rms_;
  mutable PointTable trms_;
  // Of no activation did the two sizes differ, as long as nothing was induced: rms_ is both tables.
  mutable bool alike_;
};

inline const RoutineRecord* representative_of(const RoutineRecord* record) {
  return record == nullptr ? nullptr : record->representative;
}
