#include "aprof/profile/loop_record.hpp"

#include "aprof/profile/routine_record.hpp"

LoopRecord::LoopRecord(const Loop& of, const ProfileOptions& options)
    : loop(of), options_(options), rms_(options.event_count, options.max_points),
      trms_(options.event_count, options.max_points),
      iterations_(options.event_count, options.max_points), alike_(options.rms && options.trms) {}

void LoopRecord::add(const Sizes& sizes, const Sample& sample) {
  executions++;
  sums.iterations += sizes.iterations;
  sums.induced_by_thread += sample.induced_by_thread;
  sums.induced_by_kernel += sample.induced_by_kernel;
  sums.inclusive += sample.inclusive;
  sums.self += sample.self;
  iterations_.add(sizes.iterations, sample, options_.events);
  if (alike_ && sizes.rms != sizes.trms) {
    trms_.add(rms_);
    alike_ = false;
  }
  if (options_.rms)
    rms_.add(sizes.rms, sample, options_.events);
  if (options_.trms && !alike_)
    trms_.add(sizes.trms, sample, options_.events);
}

void LoopRecord::add_unfinished(u64 iterations, const AllCosts& inclusive, const AllCosts& self) {
  executions++;
  sums.unfinished++;
  sums.iterations += iterations;
  sums.inclusive += inclusive;
  sums.self += self;
}

void LoopRecord::add(const LoopRecord& other) {
  executions += other.executions;
  sums.unfinished += other.sums.unfinished;
  sums.iterations += other.sums.iterations;
  sums.induced_by_thread += other.sums.induced_by_thread;
  sums.induced_by_kernel += other.sums.induced_by_kernel;
  sums.inclusive += other.sums.inclusive;
  sums.self += other.sums.self;
  if (alike_ && !other.alike_) {
    trms_.add(rms_);
    alike_ = false;
  }
  rms_.add(other.rms_);
  if (!alike_)
    trms_.add(other.trms());
  iterations_.add(other.iterations_);
  if (!other.progress_.empty() && progress_.empty())
    progress_.resize(kBins);
  for (std::size_t i = 0; i < other.progress_.size(); i++) {
    progress_[i].iterations += other.progress_[i].iterations;
    progress_[i].rms += other.progress_[i].rms;
    progress_[i].cost += other.progress_[i].cost;
  }
}
