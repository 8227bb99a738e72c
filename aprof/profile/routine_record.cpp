#include "aprof/profile/routine_record.hpp"

#include "aprof/profile/slow_paths.hpp"

[[gnu::noinline]] void RoutineRecord::count_unlike(const RoutineRecord* caller, bool outermost,
                                                   u64 size, u64 inclusive, u64 self) {
  took(SlowPath::unlike_activation);
  for (Counted& known : counted_)
    if (known.is_of(caller, outermost, size, inclusive, self)) {
      latest_ = &known;
      known.times++;
      known.children_rms += children_rms_of_unlike_;
      return;
    }
  latest_ = &counted_[oldest_++ % std::size(counted_)];
  add(*latest_);
  *latest_ = {1, inclusive, self, size, caller, outermost, children_rms_of_unlike_};
}

void RoutineRecord::add(Counted& counted) {
  if (counted.times == 0)
    return;
  callers_.from(counted.caller)
      .add_alike(options_.events[0], counted.inclusive, counted.self, counted.outermost,
                 counted.times);
  to_tables(counted.size, counted.size, [&](PointTable& points, u64 size) {
    points.add_alike(size, counted.inclusive, counted.self, counted.children_rms, counted.times);
  });
  counted.times = counted.children_rms = 0;
}

RoutineRecord::~RoutineRecord() {
  destroy(arguments_);
  for (LoopRecord* loop : loops_)
    destroy(loop);
}

void RoutineRecord::add_arguments(KeptArguments::Which kept, const u64* arguments,
                                  const Sample& sample) {
  if (kept.routine() != routine)
    return;
  ArgumentPoints& points = argument_points();
  points.add(kept, arguments, sample);
  if (!points.is_judgement_due())
    return;
  add_counted();
  takes_arguments_ = points.judge(sizes());
}

ArgumentPoints& RoutineRecord::argument_points() {
  if (arguments_ == nullptr)
    arguments_ = create<ArgumentPoints>("aprof.arguments", options_);
  return *arguments_;
}

LoopRecord& RoutineRecord::add_loop(const Loop& loop) {
  if (loop.number >= loops_.size())
    loops_.resize(loop.number + 1);
  return *(loops_[loop.number] = create<LoopRecord>("aprof.loops", loop, options_));
}

void RoutineRecord::add(const RoutineRecord& other) {
  for (const LoopRecord* of : other.loops_)
    if (of != nullptr)
      loop(of->loop).add(*of);
  calls += other.calls;
  takes_arguments_ &= other.takes_arguments_;
  if (other.arguments_ != nullptr)
    argument_points().add(*other.arguments_);
  callers_.add(other.callers());
  if (alike_ && !other.alike_)
    part();
  rms_.add(other.rms());
  if (!alike_)
    trms_.add(other.trms());
}

[[gnu::noinline]] void RoutineRecord::part() {
  trms_.add(rms_);
  alike_ = false;
}
