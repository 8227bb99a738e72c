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
      : routine(of), rms(options.event_count, options.max_points),
        trms(options.event_count, options.max_points) {}

  Totals totals() const { return callers.sum(); }
  void add(const RoutineRecord& other); // the same routine in another context

  RoutineId routine;
  u64 calls = 0; // activations begun
  CallEdges callers;
  PointTable rms;
  PointTable trms;
  // The one record that stands for all of its thread and routine: the first.
  const RoutineRecord* representative = this;
};

inline const RoutineRecord* representative_of(const RoutineRecord* record) {
  return record == nullptr ? nullptr : record->representative;
}
