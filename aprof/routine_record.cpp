#include "aprof/routine_record.hpp"

[[gnu::noinline]] void RoutineRecord::add_run() const {
  const Run& run = run_;
  callers_.from(run.caller)
      .add_alike(options_.events[0], run.inclusive, run.self, run.outermost, run.times);
  to_tables(run.size, run.size, [&](PointTable& points, u64 size) {
    points.add_alike(size, run.inclusive, run.self, run.times);
  });
  run_.times = 0;
}

void RoutineRecord::add(const RoutineRecord& other) {
  end_run();
  calls += other.calls;
  callers_.add(other.callers());
  if (alike_ && !other.alike_)
    part();
  rms_.add(other.rms());
  if (!alike_)
    trms_.add(other.trms());
}

[[gnu::noinline]] void RoutineRecord::part() const {
  trms_.add(rms_);
  alike_ = false;
}
