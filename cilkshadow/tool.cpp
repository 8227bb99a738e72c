// cilkshadow: work, span and parallelism of every call site (Schardl, Kuszmaul, Lee, Leiserson,
// Lewis, "The Cilkprof Scalability Profiler"). This file is the tool's interface to Valgrind's
// core.
#include "aprof-config.h"
#include "base/reserve.hpp"
#include "base/valgrind.hpp"
#include "cilkshadow/end_message.hpp"
#include "cilkshadow/options.hpp"
#include "cilkshadow/profile_writer.hpp"
#include "trace/call_events.hpp"
#include "trace/clock.hpp"
#include "trace/event_log.hpp"
#include "trace/exec_events.hpp"
#include "trace/instrument.hpp"
#include "trace/loops/loop_table.hpp"
#include "trace/named_routines.hpp"
#include "trace/sink.hpp"
#include "trace/stale_code.hpp"
#include "trace/system_calls.hpp"
#include "trace/threads.hpp"
#include "work_span/annotations.hpp"
#include "work_span/code/shadow_code.hpp"
#include "work_span/code/template_code.hpp"
#include "work_span/order/thread_edges.hpp"
#include "work_span/runtimes/divided_loops.hpp"
#include "work_span/shadow.hpp"

// The shadow's; sink knows it by address only.
struct sink::LogicalThread : shadow::Thread {};

namespace {

using namespace cilkshadow;

Costs counters{};
Costs on_way_to_binder{};
Instrumentation instrumentation;
NamedRoutines toggles; // --toggle-collect

IRSB* instrument_block(VgCallbackClosure* closure, IRSB* block, const VexGuestLayout* layout,
                       const VexGuestExtents*, const VexArchInfo*, IRType, IRType) {
  IRSB* traced = instrument(instrumentation, closure, block, layout);
  if (IRSB* instead = stale_code::instead_of(block, *closure))
    return instead;
  return shadow_code::instrument(instrumentation, block, traced);
}

bool is_toggle(RoutineId routine) { return toggles.has(routine); }

// In the child, which has but the thread that forked.
void forked(ThreadId tid) {
  threads::make_current(tid);
  for (const ClientThread* thread : threads::all())
    if (thread != threads::find(tid))
      for (const Stack* stack : thread->levels)
        if (!stack->shares_logical)
          shadow::forget_thread(*static_cast<shadow::Thread*>(stack->logical));
  shadow::restart(threads::all().size() - 1);
  if (loops != nullptr)
    for (Loop* loop : loops->all())
      loop->iterations = 0;
}

void save_when_out_of_memory() {
  const char* path = profile_writer::write("out-of-memory");
  if (path != nullptr)
    VG_(umsg)("What was measured until then is in '%s'.\n", path);
}

void after_options() {
  profile_writer::start();
  const bool collects_all = options::get().toggle_collect.empty();
  toggles.name(options::get().toggle_collect);
  routines = create<RoutineTable>("trace.routines", options::get().clones);
  const bool basic_blocks = options::get().basic_blocks;
  const auto event = basic_blocks ? CostEvent::basic_blocks : CostEvent::instructions;
  shadow::start({.clock = &counters[event],
                 .on_way_to_binder = &on_way_to_binder[event],
                 .not_work = template_code::not_work(event),
                 .by_instruction = !basic_blocks,
                 .engine = {.burden = options::get().burden},
                 .dag = options::get().dag,
                 .dag_strands = static_cast<u32>(options::get().dag_strands),
                 .is_toggle = collects_all ? nullptr : is_toggle});
  instrumentation.on_way_to_binder = &on_way_to_binder;
  instrumentation.count_basic_blocks = basic_blocks;
  instrumentation.count_instructions = !basic_blocks;
  instrumentation.find_markers = true;
  instrumentation.find_sites = true;
  if (options::get().batch_events) {
    instrumentation.routine_may_wait = shadow::routine_may_wait;
    instrumentation.code_may_wait = shadow::code_may_wait;
  }
  if (options::get().loops) {
    loops = create<LoopTable>("trace.loops", true);
    instrumentation.log_loops = true;
    instrumentation.log_iterations = divided_loops::logs_iterations;
  }
  event_log::start(counters[event], shadow::routine_may_wait);
  instrument_single_basic_blocks(true);
  client_clock::start(counters);
  threads::listen();
  thread_edges::listen();
  VG_(atfork)(nullptr, nullptr, forked);
  reserve::set_aside(save_when_out_of_memory);
}

void finish(Int) {
  const char* path = profile_writer::write("exit");
  if (path != nullptr && VG_(clo_verbosity) > 0)
    end_message::print(path);
}

void before_options() {
  VG_(details_name)("cilkshadow");
  VG_(details_version)(PACKAGE_VERSION);
  VG_(details_description)("a work-span profiler");
  VG_(details_copyright_author)("Copyright (C) 2026, and GNU GPL'd, by the aprof-trms authors.");
  VG_(details_bug_reports_to)(PACKAGE_BUGREPORT);
  VG_(details_avg_translation_sizeB)(300);
  VG_(basic_tool_funcs)(after_options, instrument_block, finish);
  VG_(needs_command_line_options)
  ([](const HChar* argument) -> Bool { return options::parse(argument); }, options::print_usage,
   options::print_debug_usage);
  VG_(needs_client_requests)(annotations::handle);
  exec_events::listen(profile_writer::write_before_exec, profile_writer::forget_exec);
  system_calls::listen();
  VG_(clo_show_below_main) = True;
}

} // namespace

sink::LogicalThread* sink::start_thread(ThreadIndex thread) {
  return static_cast<LogicalThread*>(shadow::start_thread(thread));
}
void sink::end_thread(LogicalThread* thread) { shadow::end_thread(thread); }
void sink::switch_thread(LogicalThread* to) { shadow::switch_thread(to); }
void sink::begin_signal_handler(LogicalThread* handler) { shadow::begin_signal_handler(handler); }
void sink::end_signal_handler(LogicalThread* interrupted) {
  shadow::end_signal_handler(interrupted);
}
void sink::cut_off(LogicalThread* thread) { shadow::cut_off(thread); }
void sink::call(RoutineId routine, GuestAddr site) { shadow::call(routine, site); }
void sink::return_() { shadow::return_(); }
void sink::unwind() { shadow::unwind(); }
void sink::leave_tail_call() { shadow::leave_tail_call(); }
void sink::marker(u32 kind, u64 location, u32 since) { shadow::marker(kind, location, since); }
event_log::Taken sink::take_batch(CallStack& calls, const event_log::Event* event,
                                  const event_log::Event* end, bool more_come) {
  return shadow::take_batch(calls, event, end, more_come);
}
u64 sink::marker_location(GuestAddr address) { return location_of(routines->line_of(address)); }
void sink::loop(const Loop& header_of) { shadow::at_condition(header_of); }
void sink::iteration(const Loop& of) { shadow::iteration(of); }
void sink::in_loop(const Loop* innermost, RoutineId routine) {
  shadow::in_loop(innermost, routine);
}
void sink::suspend() { shadow::suspend(); }
void sink::resume() { shadow::resume(); }
// Memory does not matter.
void sink::kernel_read(GuestAddr, std::size_t) {}
void sink::kernel_write(GuestAddr, std::size_t) {}
void sink::map_external(GuestAddr, std::size_t) {}
void sink::forget(GuestAddr, std::size_t) {}
void sink::move(GuestAddr, GuestAddr, std::size_t) {}

extern "C" {
VG_DETERMINE_INTERFACE_VERSION(before_options)
}
