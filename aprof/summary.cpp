#include "aprof/summary.hpp"

#include "aprof/profile.hpp"
#include "base/valgrind.hpp"
#include "trace/call_events.hpp"
#include "trace/threads.hpp"

namespace summary {
namespace {

struct Sums {
  u64 routines = 0; // in each thread
  u64 calls = 0;
  u64 induced_by_thread = 0;
  u64 induced_by_kernel = 0;
  const RoutineRecord* richest = nullptr; // most points, then most cost
};

u64 points_of(const RoutineRecord& record) {
  return record.trms.size() > record.rms.size() ? record.trms.size() : record.rms.size();
}

bool richer(const RoutineRecord& a, const RoutineRecord* b) {
  if (b == nullptr || points_of(a) != points_of(*b))
    return b == nullptr || points_of(a) > points_of(*b);
  return a.totals.inclusive.of[0] > b->totals.inclusive.of[0];
}

} // namespace

void print(const Profile& profile, const char* path) {
  Sums sums;
  profile.for_each([&](ThreadIndex, const RoutineRecord& record) {
    sums.routines++;
    sums.calls += record.calls;
    sums.induced_by_thread += record.totals.induced_by_thread;
    sums.induced_by_kernel += record.totals.induced_by_kernel;
    if (richer(record, sums.richest))
      sums.richest = &record;
  });
  const auto threads = static_cast<unsigned long>(threads::all().size());
  VG_(umsg)
  ("%'llu activations of %'llu routines in %'lu thread%s\n", (ULong)sums.calls,
   (ULong)sums.routines, threads, threads == 1 ? "" : "s");
  VG_(umsg)
  ("induced first-accesses: %'llu by other threads, %'llu by the kernel\n",
   (ULong)sums.induced_by_thread, (ULong)sums.induced_by_kernel);
  VG_(umsg)("profile written to %s\n", path);
  if (sums.richest != nullptr && points_of(*sums.richest) > 1)
    VG_(umsg)("next: aprof-plot '%s' %s\n", (*routines)[sums.richest->routine].name, path);
  else
    VG_(umsg)("next: aprof-plot --list %s\n", path);
}

} // namespace summary
