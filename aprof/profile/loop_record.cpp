#include "aprof/profile/loop_record.hpp"

#include "aprof/profile/routine_record.hpp"

LoopRecord::LoopRecord(const Loop& of, const ProfileOptions& options)
    : loop(of), options_(options), rms_(options.event_count, options.max_points),
      trms_(options.event_count, options.max_points),
      iterations_(options.event_count, options.max_points), alike_(options.rms && options.trms) {}

void LoopRecord::add(const Sizes& sizes, const Sample& sample) {
  sums.add(sample, sizes.iterations);
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

void LoopRecord::add(const LoopRecord& other) {
  sums.add(other.sums);
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
    progress_[i].new_cells += other.progress_[i].new_cells;
    progress_[i].cost += other.progress_[i].cost;
  }
}
