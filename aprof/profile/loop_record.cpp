#include "aprof/profile/loop_record.hpp"

#include "aprof/profile/routine_record.hpp"

#include <utility>

LoopRecord::LoopRecord(const Loop& of, const ProfileOptions& options)
    : loop(of), options_(options), rms_(options.event_count, options.max_points),
      trms_(options.event_count, options.max_points),
      iterations_(options.event_count, options.max_points), alike_(options.rms && options.trms) {
  counted_.resize(4);
  last_counted_ = counted_.size() - 1;
}

void LoopRecord::add(const Sizes& sizes, bool outermost, const Sample& sample) {
  sums_.add(outermost, sizes.iterations, sample);
  iterations_.add(sizes.iterations, sample, options_.events);
  if (alike_ && sizes.rms != sizes.trms)
    part();
  if (options_.rms)
    rms_.add(sizes.rms, sample, options_.events);
  if (options_.trms && !alike_)
    trms_.add(sizes.trms, sample, options_.events);
}

[[gnu::noinline]] void LoopRecord::add_unlike(u64 rms, u64 iterations, u64 inclusive, u64 self,
                                              u64 iterations_rms_and_flags) {
  const Kind kind{rms, iterations, inclusive, self, iterations_rms_and_flags};
  if (unlike_++ == 8 * counted_.size() && counted_.size() < kMostCounted) {
    add_counted();
    unlike_ = 0;
    counted_.resize(4 * counted_.size());
    last_counted_ = counted_.size() - 1;
  }
  Counted& counted = counted_[kind.hash() & last_counted_];
  add(counted);
  counted = {kind, 1};
}

void LoopRecord::add(Counted& counted) {
  const u64 times = std::exchange(counted.times, 0);
  if (times == 0)
    return;
  const Kind& kind = counted.kind;
  const auto enter = [&](PointTable& points, u64 size) {
    points.add_alike(size, kind.inclusive, kind.self, times * kind.iterations_rms(), times);
  };
  sums_.add_alike(options_.events[0], kind, times);
  if (kind.is_first_iteration()) {
    Costs cost;
    cost[options_.events[0]] = times * kind.inclusive;
    add_iterations(1, {times, times * kind.rms, times * kind.rms, cost});
  }
  enter(iterations_, kind.iterations);
  if (options_.rms)
    enter(rms_, kind.rms);
  if (options_.trms && !alike_)
    enter(trms_, kind.rms);
}

void LoopRecord::part() {
  add_counted(); // while there is only one table
  trms_.add(rms_);
  alike_ = false;
}

void LoopRecord::add(const LoopRecord& other) {
  sums_.add(other.sums());
  if (alike_ && !other.alike_)
    part();
  rms_.add(other.rms());
  if (!alike_)
    trms_.add(other.trms());
  iterations_.add(other.iterations());
  const Vector<ProgressBin>& bins = other.progress();
  if (!bins.empty() && progress_.empty())
    progress_.resize(kBins);
  for (std::size_t i = 0; i < bins.size(); i++)
    progress_[i] += bins[i];
}
