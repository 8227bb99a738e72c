#include "aprof/end_message.hpp"

#include "aprof/limits.hpp"
#include "aprof/options.hpp"
#include "aprof/profile/profile.hpp"
#include "base/printable.hpp"
#include "base/valgrind.hpp"
#include "trace/call_events.hpp"
#include "trace/named_routines.hpp"
#include "trace/nameless_cost.hpp"
#include "trace/threads.hpp"
#include "work_span/notes.hpp"

#include <algorithm>

namespace aprof::end_message {
namespace {

struct Sums {
  u64 routines = 0; // counted per thread
  u64 calls = 0;
  u64 induced_by_thread = 0;
  u64 induced_by_kernel = 0;
  // The routine worth plotting: among those with enough points for a trend, the one with the
  // highest cost; if there are none, the one with the most points.
  RoutineId plotted = RoutineId::none;
  u64 most_points = 0; // capped at kEnough
  u64 most_cost = 0;

  void add(const RoutineRecord& record, CostEvent cost_event);
};

void Sums::add(const RoutineRecord& record, CostEvent cost_event) {
  const Totals totals = record.totals();
  routines++;
  calls += record.calls;
  induced_by_thread += totals.induced_by_thread;
  induced_by_kernel += totals.induced_by_kernel;
  constexpr u64 kEnough = 5; // as for plots
  const u64 points = std::min<u64>(std::max(record.trms().size(), record.rms().size()), kEnough);
  const u64 cost = totals.inclusive[cost_event];
  if (plotted != RoutineId::none &&
      (points < most_points || (points == most_points && cost <= most_cost)))
    return;
  plotted = record.routine;
  most_points = points;
  most_cost = cost;
}

void print_merged_contexts(const Profile& profile) {
  const u64 merged = profile.contexts().merged_calls();
  if (merged > 0)
    VG_(umsg)
  ("more than %'lu calling contexts: %'llu activations beyond them are merged by routine; more "
   "are kept with --max-contexts=<number>\n",
   (unsigned long)profile.options().max_contexts, (ULong)merged);
}

} // namespace

void print(const Profile& profile, const char* path) {
  Sums sums;
  const CostEvent cost_event = profile.options().events[0];
  NamelessCost nameless;
  profile.for_each([&](ThreadIndex, const RoutineRecord& record) {
    sums.add(record, cost_event);
    nameless.add(record.routine, record.totals().self[cost_event]);
  });
  const auto threads = static_cast<unsigned long>(threads::all().size());
  VG_(umsg)
  ("%'llu activations of %'llu routines in %'lu thread%s\n", (ULong)sums.calls,
   (ULong)sums.routines, threads, threads == 1 ? "" : "s");
  VG_(umsg)
  ("induced first-accesses: %'llu by other threads, %'llu by the kernel\n",
   (ULong)sums.induced_by_thread, (ULong)sums.induced_by_kernel);
  print_merged_contexts(profile);
  for (const Limit& each : limits())
    if (each.count > 0)
      VG_(umsg)("%'llu %s\n", (ULong)each.count, each.text);
  nameless.print("aprof-report");
  if (options::get().work_span)
    notes::print_warnings();
  tell_unmatched("toggle-collect", options::get().toggle_collect);
  tell_unmatched("collect-from", options::get().collect_from);
  tell_unmatched("collect-until", options::get().collect_until);
  VG_(umsg)("profile written to %s\n", path);
  const Vector<char> file = shell_word(path);
  if (profile.options().loops) {
    VG_(umsg)("next: aprof-report %s\n", file.begin());
    VG_(umsg)("its first finding as a plot: aprof-plot --finding 1 %s\n", file.begin());
  } else if (sums.most_points > 1) {
    const Vector<char> name = printable((*routines)[sums.plotted].name);
    VG_(umsg)("next: aprof-plot %s %s\n", shell_word(name.begin()).begin(), file.begin());
  } else {
    VG_(umsg)("next: aprof-plot --list %s\n", file.begin());
  }
}

} // namespace aprof::end_message
