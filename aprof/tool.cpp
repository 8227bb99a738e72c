// aprof-trms: a multithreaded input-sensitive profiler (Coppa, Demetrescu, Finocchi, Marotta,
// "Multithreaded Input-Sensitive Profiling"). This file is the tool's interface to Valgrind's core.
#include "aprof-config.h"
#include "aprof/collector.hpp"
#include "aprof/end_message.hpp"
#include "aprof/engine/engine.hpp"
#include "aprof/helpers.hpp"
#include "aprof/options.hpp"
#include "aprof/profile_writer.hpp"
#include "aprof/requests.hpp"
#include "aprof/statistics.hpp"
#include "base/reserve.hpp"
#include "base/valgrind.hpp"
#include "trace/arguments.hpp"
#include "trace/call_events.hpp"
#include "trace/clock.hpp"
#include "trace/exec_events.hpp"
#include "trace/inline_info.hpp"
#include "trace/instrument.hpp"
#include "trace/kernel_events.hpp"
#include "trace/loops/loop_events.hpp"
#include "trace/loops/loop_table.hpp"
#include "trace/stale_code.hpp"
#include "trace/system_calls.hpp"
#include "trace/thread_names.hpp"
#include "trace/threads.hpp"
#include "work_span/code/shadow_code.hpp"

namespace {

Instrumentation instrumentation;
RunningLoop loops_running;
RunningArguments running_arguments;

IRSB* instrument_block(VgCallbackClosure* closure, IRSB* block, const VexGuestLayout* layout,
                       const VexGuestExtents*, const VexArchInfo*, IRType, IRType) {
  if (!is_instrumenting())
    return block;
  IRSB* traced = instrument(instrumentation, closure, block, layout);
  if (IRSB* instead = stale_code::instead_of(block, *closure))
    return instead;
  if (!aprof::options::get().work_span)
    return traced;
  return shadow_code::instrument(instrumentation, block, traced);
}

void forked(ThreadId) { collector::restart_in_child(); }

void save_when_out_of_memory() {
  const char* path = aprof::profile_writer::write("out-of-memory");
  if (path != nullptr)
    VG_(umsg)("What was measured until then is in '%s'.\n", path);
}

void after_options() {
  const Options& options = aprof::options::get();
  aprof::profile_writer::start(options);
  routines = create<RoutineTable>("trace.routines", options.clones);
  collector::start(options);
  const ProfileOptions profile = options.for_profile();
  const ReadWriteHelpers helpers =
      access_helpers(options.cell_shift(), collector::trace() != nullptr);
  instrumentation.read = helpers.read;
  instrumentation.write = helpers.write;
  instrumentation.modify = helpers.modify;
  instrumentation.on_way_to_binder = &collector::on_way_to_binder;
  instrumentation.find_markers = options.work_span;
  instrumentation.find_sites = options.work_span;
  if (options.loops || options.lines)
    inline_info::want();
  instrumentation.count_lines = options.lines;
  if (options.loops) {
    loops = create<LoopTable>("trace.loops");
    loops_running = running_loop(collector::trace() != nullptr);
    instrumentation.running_loop = &loops_running;
  }
  if (profile.arguments != KeepArguments::none) {
    arguments = create<ArgumentTable>("trace.arguments");
    running_arguments = {engine().running(), offsetof(Activation, kept),
                         offsetof(Activation, arguments)};
    instrumentation.running_arguments = &running_arguments;
  }
  if (VG_(clo_stats))
    instrumentation.accesses_reported = &statistics::accesses_reported;
  for (unsigned i = 0; i < profile.event_count; i++) {
    instrumentation.count_basic_blocks |= profile.events[i] == CostEvent::basic_blocks;
    instrumentation.count_instructions |= profile.events[i] == CostEvent::instructions;
  }
  set_instrumenting(options.instr_at_start);
  instrument_single_basic_blocks(false); // string operations are reported as a whole
  client_clock::start(collector::counters);
  threads::listen();
  VG_(atfork)(nullptr, nullptr, forked);
  reserve::set_aside(save_when_out_of_memory);
}

void finish(Int) {
  collector::finish();
  const char* path = aprof::profile_writer::write("exit");
  if (path != nullptr && VG_(clo_verbosity) > 0)
    aprof::end_message::print(collector::complete_profile(), path);
  if (VG_(clo_stats))
    statistics::print();
}

void before_options() {
  VG_(details_name)("aprof-trms");
  VG_(details_version)(PACKAGE_VERSION);
  VG_(details_description)("a multithreaded input-sensitive profiler");
  VG_(details_copyright_author)("Copyright (C) 2026, and GNU GPL'd, by the aprof-trms authors.");
  VG_(details_bug_reports_to)(PACKAGE_BUGREPORT);
  VG_(details_avg_translation_sizeB)(500);
  VG_(basic_tool_funcs)(after_options, instrument_block, finish);
  VG_(needs_command_line_options)
  ([](const HChar* argument) -> Bool { return aprof::options::parse(argument); },
   aprof::options::print_usage, aprof::options::print_debug_usage);
  VG_(needs_client_requests)(requests::handle);
  VG_(needs_print_stats)(statistics::print);
  VG_(clo_show_below_main) = True; // a profile names every routine
  kernel_events::listen();
  thread_names::listen();
  exec_events::listen(aprof::profile_writer::write_before_exec, aprof::profile_writer::forget_exec);
  system_calls::listen();
}

} // namespace

extern "C" {
VG_DETERMINE_INTERFACE_VERSION(before_options)
}
