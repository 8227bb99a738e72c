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

struct RoutineRecord {
  RoutineRecord(RoutineId of, const ProfileOptions& options)
      : routine(of), rms_(options.event_count, options.max_points),
        trms_(options.event_count, options.max_points), alike_(options.rms && options.trms) {}

  Totals totals() const { return callers.sum(); }
  void add(const RoutineRecord& other); // the same routine in another context
  // An activation returned, with these input sizes.
  void add_point(u64 rms, u64 trms, const Sample& sample, const ProfileOptions& options) {
    if (alike_) {
      if (rms == trms) [[likely]]
        return rms_.add(rms, sample, options.events);
      part();
    }
    if (options.rms)
      rms_.add(rms, sample, options.events);
    if (options.trms)
      trms_.add(trms, sample, options.events);
  }

  const PointTable& rms() const { return rms_; }
  const PointTable& trms() const { return alike_ ? rms_ : trms_; }

  RoutineId routine;
  u64 calls = 0; // activations begun
  CallEdges callers;
  // The one record that stands for all of its thread and routine: the first.
  const RoutineRecord* representative = this;

private:
  void part(); // the two tables

  PointTable rms_;
  PointTable trms_;
  // Of no activation did the two sizes differ, as long as nothing was induced: rms_ is both tables.
  bool alike_;
};

inline const RoutineRecord* representative_of(const RoutineRecord* record) {
  return record == nullptr ? nullptr : record->representative;
}
