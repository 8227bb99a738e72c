// The measurements of one routine in one thread or, with --contexts=yes, in one calling context.
//
// Most activations of a routine resemble an earlier one: in sqlite3, 65 of 100 have the caller,
// size and costs of the previous one, and 94 those of one of the latest four kinds. So activations
// are counted by kind, which costs a comparison. A kind is added to the call edges and points when
// another one replaces it, and all kinds by add_counted(), which must be called before these are
// read.
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

// Which integer arguments have points: none, those that explain cost that sizes do not, or all.
enum class KeepArguments : u8 { none, informative, all };

// Set by the options, constant during a run.
struct ProfileOptions {
  bool rms = true;
  bool trms = true;
  unsigned event_count = 1;
  CostEvent events[kCostEvents] = {CostEvent::basic_blocks, CostEvent::instructions};
  CostEvent work_event = CostEvent::basic_blocks; // the unit of work and span
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

  // Adds an activation with these input sizes that was called by `caller` and has returned.
  void add(const RoutineRecord* caller, bool outermost, u64 rms, u64 trms, const Sample& sample) {
    callers_.from(caller).add(sample, outermost);
    to_tables(rms, trms,
              [&](PointTable& points, u64 size) { points.add(size, sample, options_.events); });
  }
  // Adds one without induced accesses, if one cost event is measured.
  [[gnu::always_inline]] void add_not_induced(const RoutineRecord* caller, bool outermost, u64 size,
                                              u64 inclusive, u64 self, u64 children_rms) {
    if (!latest_->is_of(caller, outermost, size, inclusive, self)) [[unlikely]] {
      children_rms_of_unlike_ = children_rms; // as an argument it would not fit into a register
      return count_unlike(caller, outermost, size, inclusive, self);
    }
    latest_->times++;
    latest_->children_rms += children_rms;
  }
  // Adds the arguments of a returning activation. Call before `add`.
  bool takes_arguments() const { return takes_arguments_; }
  void add_arguments(KeptArguments::Which kept, const u64* arguments, const Sample& sample);
  // Adds an activation that was cut off.
  void add_unfinished(const RoutineRecord* caller, bool outermost, const Sample& sample) {
    callers_.from(caller).add_unfinished(sample, outermost);
  }
  ~RoutineRecord();
  RoutineRecord(const RoutineRecord&) = delete;
  RoutineRecord& operator=(const RoutineRecord&) = delete;
  void add(const RoutineRecord& other); // of the same routine in another context

  // The record of a loop of the routine; created on first use.
  LoopRecord& loop(const Loop& loop) {
    LoopRecord* const known = known_loop(loop);
    return known != nullptr ? *known : add_loop(loop);
  }
  // The same, but null if it was not used before.
  LoopRecord* known_loop(const Loop& loop) const {
    return loop.number < loops_.size() ? loops_[loop.number] : nullptr;
  }
  const Vector<LoopRecord*>& loops() const { return loops_; } // by number; some are null
  // Null if there are none.
  const PointTable* points_by(unsigned argument) const {
    return arguments_ == nullptr ? nullptr : arguments_->informative(argument, sizes());
  }

  // Adds everything that was only counted, including its loops. Call before reading any of the
  // following.
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

  // By the most comprehensive metric that is measured.
  const PointTable& sizes() const { return options_.trms ? trms() : rms(); }

  RoutineId routine;
  u64 calls = 0; // activations begun

  // The first record of the same thread and routine, which represents all of them.
  const RoutineRecord* representative = this;

private:
  bool takes_arguments_ = true; // false once all have been dropped

  // A kind of activation, and how many of them have not been added yet.
  struct Counted {
    u64 times = 0;
    u64 inclusive = 0;
    u64 self = 0;
    u64 size = 0; // RMS and TRMS
    const RoutineRecord* caller = nullptr;
    bool outermost = false;
    u64 children_rms = 0; // sum over all of them

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
  // Calls add(table, size) for each table that an activation with these input sizes is added to.
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
  void part(); // splits the two tables

  Counted* latest_ = counted_;
  u64 children_rms_of_unlike_ = 0;
  Counted counted_[4];
  unsigned oldest_ = 0; // the kind to be replaced next
  const ProfileOptions& options_;
  ArgumentPoints* arguments_ = nullptr; // null: none yet
  Vector<LoopRecord*> loops_{"aprof.loops"};
  CallEdges callers_;
  PointTable rms_;
  PointTable trms_;
  // RMS and TRMS of all activations are equal, because nothing was induced: rms_ is both tables.
  bool alike_;
};

inline const RoutineRecord* representative_of(const RoutineRecord* record) {
  return record == nullptr ? nullptr : record->representative;
}
