#include "cilkshadow/end_message.hpp"

#include "base/printable.hpp"
#include "base/valgrind.hpp"
#include "cilkshadow/options.hpp"
#include "cilkshadow/profile_writer.hpp"
#include "trace/named_routines.hpp"
#include "trace/nameless_cost.hpp"
#include "work_span/notes.hpp"
#include "work_span/shadow.hpp"

namespace cilkshadow::end_message {
namespace {

// The core's printf does not support rounded floating point.
struct Ratio {
  Ratio(u64 work, u64 span) {
    const u128 hundredths = span == 0 ? 100 : (u128{work} * 100 + span / 2) / span;
    whole = static_cast<ULong>(hundredths / 100);
    fraction = static_cast<ULong>(hundredths % 100);
  }
  ULong whole;
  ULong fraction;
};

const char* plural(u64 count) { return count == 1 ? "" : "s"; }

} // namespace

void print(const char* path) {
  const WorkSpan::Totals& totals = profile_writer::totals();
  const Ratio parallelism(totals.work, totals.lengths.span);
  const Ratio burdened(totals.work, totals.lengths.burdened);
  const char* unit = options::get().basic_blocks ? "basic blocks" : "instructions";
  VG_(umsg)
  ("work %'llu, span %'llu %s; parallelism %'llu.%02llu\n", (ULong)totals.work,
   (ULong)totals.lengths.span, unit, parallelism.whole, parallelism.fraction);
  VG_(umsg)
  ("burdened span %'llu %s; burdened parallelism %'llu.%02llu\n", (ULong)totals.lengths.burdened,
   unit, burdened.whole, burdened.fraction);
  VG_(umsg)
  ("%'llu spawn%s, %'llu sync%s, %'llu thread%s\n", (ULong)totals.spawns, plural(totals.spawns),
   (ULong)totals.syncs, plural(totals.syncs), (ULong)shadow::threads(), plural(shadow::threads()));
  NamelessCost nameless;
  profile_writer::add_work(nameless);
  nameless.print("cilkshadow-report");
  tell_unmatched("toggle-collect", options::get().toggle_collect);
  notes::print_warnings();
  VG_(umsg)("profile written to %s\n", path);
  VG_(umsg)("next: cilkshadow-report %s\n", shell_word(path).begin());
}

} // namespace cilkshadow::end_message
