#include "aprof/profile/routine_record.hpp"

#include "aprof/profile/slow_paths.hpp"

#include <iterator>

[[gnu::noinline]] void RoutineRecord::count_other(const RoutineRecord* caller, bool outermost,
                                                  u64 size, u64 inclusive, u64 self) {
  took(SlowPath::unlike_activation);
  for (Counted& known : counted_)
    if (known.is_of(caller, outermost, size, inclusive, self)) {
      latest_ = &known;
      known.times++;
      return;
    }
  latest_ = &counted_[oldest_++ % std::size(counted_)];
  add(*latest_);
  *latest_ = {1, inclusive, self, size, caller, outermost};
}

void RoutineRecord::add(Counted& counted) const {
  if (counted.times == 0)
    return;
  callers_.from(counted.caller)
      .add_alike(options_.events[0], counted.inclusive, counted.self, counted.outermost,
                 counted.times);
  to_tables(counted.size, counted.size, [&](PointTable& points, u64 size) {
    points.add_alike(size, counted.inclusive, counted.self, counted.times);
  });
  counted.times = 0;
}

void RoutineRecord::add(const RoutineRecord& other) {
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
