// What is measured of one routine in one thread or, with --contexts=yes, in one calling context.
//
// Activations of a routine are alike more often than not: of sqlite3's, 65 of 100 have the caller,
// size and costs of the one before, and 94 those of one of the four kinds met last. So those of
// each kind are counted, which costs a comparison. A kind that makes room for another is added to
// the call edges and points, and so are all by add_counted(), without which these are not read.
//
// Owns its call edges, points and loops.
#pragma once

#include "aprof/profile/argument_points.hpp"
#include "aprof/profile/call_edges.hpp"
#include "aprof/profile/loop_record.hpp"
#include "aprof/profile/points.hpp"
#include "base/check.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <iterator>

// Which integer arguments have points: none, those that tell of the cost what sizes do not, or all.
enum class KeepArguments : u8 { none, telling, all };

// Chosen by the options, fixed for a run.
struct ProfileOptions {
  bool rms = true;
  bool trms = true;
  unsigned event_count = 1;
  CostEvent events[kCostEvents] = {CostEvent::basic_blocks, CostEvent::instructions};
  CostEvent work_event = CostEvent::basic_blocks; // what work and span are counted in
  bool separate_threads = true;
  std::size_t max_points = 10000;
  bool loops = false;
  KeepArguments arguments = KeepArguments::none;
  std::size_t max_contexts = 0; // 0: records are by routine, not by context
};

class RoutineRecord {
public:
  RoutineRecord(RoutineId of, const ProfileOptions& options)
      : routine(of), options_(options), rms_(options.event_count, options.max_points),
        trms_(options.event_count, options.max_points), alike_(options.rms && options.trms) {}

  // An activation that `caller` called returned, with these input sizes.
  void add(const RoutineRecord* caller, bool outermost, u64 rms, u64 trms, const Sample& sample) {
    callers_.from(caller).add(sample, outermost);
    to_tables(rms, trms,
              [&](PointTable& points, u64 size) { points.add(size, sample, options_.events); });
  }
  // One that met nothing induced, where one cost event is measured.
  [[gnu::always_inline]] void add_not_induced(const RoutineRecord* caller, bool outermost, u64 size,
                                              u64 inclusive, u64 self, u64 children_rms) {
    if (!latest_->is_of(caller, outermost, size, inclusive, self)) [[unlikely]] {
      children_rms_of_unlike_ = children_rms; // no argument: it would not be in a register
      return count_unlike(caller, outermost, size, inclusive, self);
    }
    latest_->times++;
    latest_->children_rms += children_rms;
  }
  // An activation that returns was called with these; to be told before `add`.
  bool takes_arguments() const { return takes_arguments_; }
  void add_arguments(KeptArguments::Which kept, const u64* arguments, const Sample& sample);
  // An activation that was cut off.
  void add_unfinished(const RoutineRecord* caller, bool outermost, const Sample& sample) {
    callers_.from(caller).add_unfinished(sample, outermost);
  }
  ~RoutineRecord();
  RoutineRecord(const RoutineRecord&) = delete;
  RoutineRecord& operator=(const RoutineRecord&) = delete;
  void add(const RoutineRecord& other); // of the same routine in another context

  // The record of a loop of the routine; made on first use.
  LoopRecord& loop(const Loop& loop) {
    if (loop.number < loops_.size() && loops_[loop.number] != nullptr) [[likely]]
      return *loops_[loop.number];
    return add_loop(loop);
  }
  const Vector<LoopRecord*>& loops() const { return loops_; } // by number; some are null
  // Null: there are none.
  const PointTable* points_by(unsigned argument) const {
    return arguments_ == nullptr ? nullptr : arguments_->telling(argument, sizes());
  }

  // Adds what is counted, of its loops too; before any of the following is read.
  void add_counted() {
    for (Counted& counted : counted_)
      add(counted);
    for (LoopRecord* loop : loops_)
      if (loop != nullptr)
        loop->add_counted();
  }
  Totals totals() const { return callers().sum(); }
  const CallEdges& callers() const {
    CHECK(is_added());
    return callers_;
  }
  const PointTable& rms() const {
    CHECK(is_added());
    return rms_;
  }
  const PointTable& trms() const {
    CHECK(is_added());
    return alike_ ? rms_ : trms_;
  }

  // By the metric that tells most.
  const PointTable& sizes() const { return options_.trms ? trms() : rms(); }

  RoutineId routine;
  u64 calls = 0; // activations begun

  // The one record that stands for all of its thread and routine: the first.
  const RoutineRecord* representative = this;

private:
  bool takes_arguments_ = true; // they were not all dropped

  // A kind of activations, and how many of it are not added yet.
  struct Counted {
    u64 times = 0;
    u64 inclusive = 0;
    u64 self = 0;
    u64 size = 0; // the RMS, and the TRMS
    const RoutineRecord* caller = nullptr;
    bool outermost = false;
    u64 children_rms = 0; // of all

    bool is_of(const RoutineRecord* its_caller, bool is_outermost, u64 its_size, u64 its_inclusive,
               u64 its_self) const {
      return inclusive == its_inclusive && self == its_self && size == its_size &&
             caller == its_caller && outermost == is_outermost;
    }
  };

  void count_unlike(const RoutineRecord* caller, bool outermost, u64 size, u64 inclusive, u64 self);
  LoopRecord& add_loop(const Loop& loop);
  ArgumentPoints& argument_points();
  void add(Counted& counted);
  bool is_added() const {
    return std::all_of(counted_, std::end(counted_),
                       [](const Counted& counted) { return counted.times == 0; });
  }
  // Calls add(table, size) for the tables that an activation with these input sizes enters.
  template <typename Add> void to_tables(u64 rms, u64 trms, Add add) {
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
  void part(); // the two tables

  Counted* latest_ = counted_;
  u64 children_rms_of_unlike_ = 0;
  Counted counted_[4];
  unsigned oldest_ = 0; // the first to make room
  const ProfileOptions& options_;
  ArgumentPoints* arguments_ = nullptr; // none yet
  Vector<LoopRecord*> loops_{"aprof.loops"};
  CallEdges callers_;
  PointTable rms_;
  PointTable trms_;
  // Of no activation did the two sizes differ, as long as nothing was induced: rms_ is both tables.
  bool alike_;
};

inline const RoutineRecord* representative_of(const RoutineRecord* record) {
  return record == nullptr ? nullptr : record->representative;
}
