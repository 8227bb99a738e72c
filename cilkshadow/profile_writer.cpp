#include "cilkshadow/profile_writer.hpp"

#include "aprof-config.h"
#include "base/profile_file.hpp"
#include "base/valgrind.hpp"
#include "cilkshadow/dag_writer.hpp"
#include "cilkshadow/options.hpp"
#include "cilkshadow/source_places.hpp"
#include "trace/call_events.hpp"
#include "trace/loops/loop.hpp"
#include "trace/profile_records.hpp"
#include "trace/threads.hpp"
#include "work_span/notes.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/runtimes/divided_loops.hpp"
#include "work_span/runtimes/named_regions.hpp"
#include "work_span/shadow.hpp"

namespace cilkshadow::profile_writer {
namespace {

ProfileFile* file;
WorkSpan::Results* results;

void put_totals(TextFile& out) {
  const WorkSpan::Totals& totals = results->totals;
  out << "work " << totals.work << '\n';
  out << "overhead " << shadow::overhead() << '\n';
  out << "span " << totals.lengths.span << '\n';
  out << "burdened-span " << totals.lengths.burdened << '\n';
  out << "serialised-span " << totals.lengths.serialised << '\n';
  out << "spawns " << totals.spawns << '\n';
  out << "syncs " << totals.syncs << '\n';
}

void put_notes(TextFile& out) {
  notes::for_each([&](const notes::Note& note) {
    out << "note " << note.kind << ' ' << note.count << ' ' << note.text << note.more << '\n';
  });
}

void put(TextFile& out, const Measure& measure) {
  out << ' ' << measure.count << ' ' << measure.work << ' ' << measure.span;
}

void put(TextFile& out, const Vector<Measures>& all, u32 site) {
  const Measures measures = site < all.size() ? all[site] : Measures{};
  put(out, measures.top_site);
  put(out, measures.top_caller);
  put(out, measures.local);
}

bool has_measures(const Vector<Measures>& all, u32 site) {
  return site < all.size() && !(all[site] == Measures{});
}

bool has_work_or_span(const Vector<Measures>& all, u32 site) {
  return site < all.size() && (all[site].top_site.work != 0 || all[site].top_site.span != 0);
}

// Whether the site has numbers. A site that was only executed while nothing was measured has
// neither work nor span; one that waited for what was measured has span.
bool is_used(u32 site) {
  if (!options::get().toggle_collect.empty() && !has_work_or_span(results->on_work, site) &&
      !has_work_or_span(results->on_span, site))
    return false;
  return has_measures(results->on_work, site) || has_measures(results->on_span, site);
}

// Of calls, by SiteId; 0: it is not in the profile.
Vector<u32> site_numbers() {
  Vector<u32> numbers("cilkshadow.writer");
  numbers.resize(shadow::sites().size());
  u32 id = 0;
  for (u32 i = 0; i < numbers.size(); i++)
    if (is_used(i) && shadow::sites()[SiteId{i}].loop == nullptr)
      numbers[i] = ++id;
  return numbers;
}

void put_sites(TextFile& out, const Vector<u32>& numbers) {
  out << "columns id caller callee file line address spawned";
  for (const char* on : {"on_work", "on_span"})
    for (const char* measure : {"top_site", "top_caller", "local"})
      for (const char* column : {"count", "work", "span"})
        out << ' ' << on << '.' << measure << '.' << column;
  out << " on_work.top_site.burdened_span";
  out.end_line();
  for (u32 i = 0; i < numbers.size(); i++) {
    if (numbers[i] == 0)
      continue;
    const Site& site = shadow::sites()[SiteId{i}];
    out << "site " << numbers[i] << ' ' << index(site.caller.routine) << ' ' << index(site.callee)
        << ' ' << site.line.file << ' ' << site.line.line << ' ' << u64{site.address_in_file} << ' '
        << site.spawned;
    put(out, results->on_work, i);
    put(out, results->on_span, i);
    out << ' ' << (i < results->on_work.size() ? results->on_work[i].burdened : 0);
    out.end_line();
  }
}

// Calls f(loop, its site's number).
template <typename F> void for_each_loop(F f) {
  for (u32 i = 0; i < shadow::sites().size(); i++)
    if (const Site& site = shadow::sites()[SiteId{i}]; site.loop != nullptr && is_used(i))
      f(*site.loop, i);
}

LoopSpread spread_at(u32 site) {
  return site < results->spreads.size() ? results->spreads[site] : LoopSpread{};
}
bool is_divided(u32 site) { return spread_at(site).parts > 0 && !spread_at(site).is_around; }

// Of loops that threads or tasks divide, the outermost ones count.
LoopSpread spread_of(const Loop& loop, u32 site) {
  LoopSpread spread = spread_at(site);
  if (spread.parts == 0)
    return spread;
  bool counts = is_divided(site);
  for (const Loop* around = loop.parent; around != nullptr; around = around->parent)
    counts &= !is_divided(index(shadow::sites().of(*around)));
  if (!counts)
    return {.largest_execution = spread.largest_execution};
  // Those of a leaf were counted only, and with those of executions that are no parts.
  if (spread.iterations == 0 && spread.parts == results->on_work[site].local.count &&
      options::get().toggle_collect.empty()) {
    spread.iterations = loop.iterations;
    spread.work = spread.work_of_parts;
  }
  return spread;
}

// Of a parallel loop in a template, the program's own line that it executes.
RoutineTable::SourceLine line_of_body(const Loop& loop, u32 site) {
  return spread_at(site).parts > 0 ? divided_loops::line_in_template(loop)
                                   : RoutineTable::SourceLine{};
}

void put_loops(TextFile& out) {
  for_each_loop([&](const Loop& loop, u32) { profile_records::put_loop(out, loop); });
  for_each_loop([&](const Loop& loop, u32 site) {
    out << "executions " << index(loop.id) << ' ' << loop.iterations;
    put(out, results->on_work, site);
    put(out, results->on_span, site);
    out.end_line();
    const LoopSpread spread = spread_of(loop, site);
    out << "loop-spread " << index(loop.id) << ' ' << spread.largest_execution << ' '
        << spread.iterations << ' ' << spread.work << ' ' << spread.largest_iteration << ' '
        << spread.parts << '\n';
    if (const RoutineTable::SourceLine line = line_of_body(loop, site); line.file != 0)
      out << "loop-body " << index(loop.id) << ' ' << line.file << ' ' << line.line << '\n';
  });
}

void put_locks(TextFile& out) {
  locks::for_each_that_was_held([&](const locks::Lock& lock, u32) {
    out << "lock " << lock.span.acquisitions << ' ' << lock.span.held << ' ' << index(lock.first_by)
        << ' ' << lock.kind << ' ';
    const HChar* name = nullptr;
    PtrdiffT offset = 0;
    if (lock.address == locks::kUnnamedCritical || lock.address == locks::kAtomic) {
      out << (lock.address == locks::kAtomic ? "(atomic)" : "(unnamed)");
    } else if (VG_(get_datasym_and_offset)(VG_(current_DiEpoch)(), lock.address, &name, &offset)) {
      // clang's; gcc's has no variable.
      out.put_escaped(VG_(strcmp)(name, ".gomp_critical_user_.var") == 0 ? "(unnamed)" : name);
      if (offset != 0)
        out << '+' << static_cast<u64>(offset);
    } else {
      out << "0x";
      out.put_hexadecimal(static_cast<u32>(lock.address >> 32));
      out.put_hexadecimal(static_cast<u32>(lock.address));
    }
    out.end_line();
  });
}

void put_conditions(TextFile& out) {
  locks::for_each_that_was_held([&](const locks::Lock& lock, u32 number) {
    if (lock.has_condition())
      out << "condition " << number << '\n';
  });
}

void put_regions(TextFile& out) {
  for (const named_regions::NamedRegion& region : named_regions::all()) {
    if (region.count == 0)
      continue;
    out << "region " << region.count << ' ' << region.sum.work << ' ' << region.sum.span << ' '
        << region.sum.burdened << ' ';
    out.put_escaped(region.name);
    out.end_line();
  }
}

void put_names(TextFile& out, const Vector<u32>& numbers,
               const source_places::SourcePlaces& places) {
  profile_records::Names names;
  for (u32 i = 0; i < numbers.size(); i++) {
    if (numbers[i] == 0)
      continue;
    const Site& site = shadow::sites()[SiteId{i}];
    if (site.caller.routine != RoutineId::none)
      names.use(site.caller.routine);
    names.use(site.callee);
    names.use_file(site.line.file);
  }
  places.use(names);
  for_each_loop([&](const Loop& loop, u32 site) {
    names.use(loop);
    names.use_file(line_of_body(loop, site).file);
  });
  locks::for_each_that_was_held([&](const locks::Lock& lock, u32) {
    if (lock.first_by != RoutineId::none)
      names.use(lock.first_by);
  });
  names.put(out);
}

void write_all(TextFile& out, const char* reason) {
  out << "cilkshadow-profile 8\n";
  profile_records::put_run(out, "cilkshadow " PACKAGE_VERSION, VALGRIND_VERSION, reason);
  const bool basic_blocks = options::get().basic_blocks;
  out << "option work " << (basic_blocks ? "bb\n" : "instr\n");
  out << "option burden " << options::get().burden << '\n';
  if (options::get().loops)
    out << "option loops yes\n";
  if (options::get().dag)
    out << "option dag yes\n";
  if (options::get().dag_strands != DagRecorder::kDefaultStrands)
    out << "option dag-strands " << options::get().dag_strands << '\n';
  if (options::get().clones == Clones::apart)
    out << "option clones apart\n";
  for (const char* pattern : options::get().toggle_collect) {
    out << "option toggle-collect ";
    out.put_escaped(pattern);
    out.end_line();
  }
  out << "unit guest " << (basic_blocks ? "basic blocks\n" : "instructions\n");
  out << "fair-sched " << threads::fair_scheduling() << '\n';
  out << "threads " << shadow::threads() << '\n';
  put_totals(out);
  put_notes(out);
  const Vector<u32> numbers = site_numbers();
  const source_places::SourcePlaces places(numbers);
  put_names(out, numbers, places);
  put_sites(out, numbers);
  places.put_calls(out);
  put_loops(out);
  put_locks(out);
  places.put_locks(out);
  put_conditions(out);
  put_regions(out);
  dag_writer::put(out, numbers, is_used);
  profile_records::put_end(out);
}

} // namespace

void start() {
  results = create<WorkSpan::Results>("cilkshadow.writer");
  file = create<ProfileFile>("cilkshadow.writer", "--cilkshadow-out-file", options::get().out_file,
                             write_all);
  file->check_path();
}

const char* write(const char* reason) {
  *results = shadow::finish_and_take();
  return file->write(reason);
}

void write_before_exec() {
  *results = shadow::measure_so_far();
  file->write_before_exec();
}

void forget_exec() { file->forget_exec(); }

const WorkSpan::Totals& totals() { return results->totals; }

void add_work(NamelessCost& nameless) {
  for (u32 i = 0; i < results->on_work.size(); i++)
    if (const Site& site = shadow::sites()[SiteId{i}]; is_used(i) && site.loop == nullptr)
      nameless.add(site.callee, results->on_work[i].local.work);
}

} // namespace cilkshadow::profile_writer
