#include "aprof/collector.hpp"

#include "aprof/engine/engine_fast.hpp"
#include "aprof/helpers.hpp"
#include "aprof/options.hpp"
#include "aprof/trace_file.hpp"
#include "base/valgrind.hpp"
#include "trace/call_events.hpp"
#include "trace/lines/line_counters.hpp"
#include "trace/loops/loop.hpp"
#include "trace/named_routines.hpp"
#include "trace/sink.hpp"
#include "work_span/code/template_code.hpp"
#include "work_span/order/thread_edges.hpp"
#include "work_span/shadow.hpp"

#include <new>
#include <utility>

// The sink knows the engine's logical threads only by address.
struct sink::LogicalThread : ::LogicalThread {};

namespace collector {
namespace {

Profile* the_profile;
TraceFile* the_trace;
bool collecting = true;
bool shadowing; // --work-span
bool always;    // nothing but recording every activation by its routine
ProfileOptions* profile_options;

NamedRoutines toggles; // --toggle-collect
NamedRoutines begins;  // --collect-from
NamedRoutines ends;    // --collect-until

// --work-span
void start_shadow(CostEvent counted) {
  shadowing = true;
  shadow::start({.clock = &counters[counted],
                 .on_way_to_binder = &on_way_to_binder[counted],
                 .not_work = template_code::not_work(counted),
                 .by_instruction = counted == CostEvent::instructions,
                 .engine = {},
                 .invocations = true});
  thread_edges::listen();
}

Vector<Invocation> work_span_so_far(const ::LogicalThread& thread) {
  return shadow::measure_pending(*thread.shadow);
}

} // namespace

Costs counters{};
Costs on_way_to_binder{};

void start(const Options& options) {
  profile_options = create<ProfileOptions>("aprof.options", options.for_profile());
  the_profile = create<Profile>("aprof.profile", *profile_options);
  toggles.name(options.toggle_collect);
  begins.name(options.collect_from);
  ends.name(options.collect_until);
  EngineOptions engine_options;
  engine_options.cell_shift = options.cell_shift();
  engine_options.counter_limit = options.counter_limit;
  engine_options.pack_every = options.pack_every;
  engine_options.clock = &counters;
  engine_options.check = options.sanity;
  if (options.work_span) {
    start_shadow(profile_options->work_event);
    engine_options.work_span_so_far = work_span_so_far;
  }
  if (options.lines)
    line_counters = create<LineCounters>("trace.lines");
  new (engine_storage) Engine(engine_options, *the_profile);
  if (options.trace_file != nullptr) {
    const auto event = static_cast<unsigned>(profile_options->events[0]);
    the_trace = create<TraceFile>("aprof.trace", options.trace_file, options.cell_shift(),
                                  counters.of[event]);
  }
  collect(options.collect_at_start && begins.empty());
}

void finish() {
  if (the_trace == nullptr)
    return;
  const auto event = static_cast<unsigned>(profile_options->events[0]);
  the_trace->put(TraceEvent::uncounted, on_way_to_binder.of[event]);
  the_trace->flush();
}

TraceFile* trace() { return the_trace; }

void collect(bool on) {
  collecting = on;
  always = on && toggles.empty() && begins.empty() && ends.empty() &&
           profile_options->max_contexts == 0 && !shadowing && the_trace == nullptr;
}

bool is_collecting() { return collecting; }

const Profile& complete_profile() {
  the_profile->add_counted();
  return *the_profile;
}
Costs uncounted() { return engine().uncounted() + on_way_to_binder; }

void zero() {
  if (the_trace != nullptr)
    the_trace->put(TraceEvent::drop_pending);
  on_way_to_binder = {};
  engine().drop_pending();
  the_profile->clear();
  if (line_counters != nullptr)
    line_counters->clear();
}

void restart_in_child() {
  destroy(std::exchange(the_trace, nullptr));
  collect(collecting);
  zero();
}

} // namespace collector

namespace {

template <typename... Operands>
[[gnu::noinline]] void write_down(TraceEvent event, Operands... operands) {
  collector::the_trace->put(event, operands...);
}

template <typename... Operands> void trace(TraceEvent event, Operands... operands) {
  if (collector::the_trace != nullptr) [[unlikely]]
    write_down(event, operands...);
}

} // namespace

sink::LogicalThread* sink::start_thread(ThreadIndex thread) {
  ::LogicalThread& started = engine().start_thread(thread);
  if (collector::shadowing)
    started.shadow = shadow::start_thread(thread);
  trace(TraceEvent::start_thread, started.number, index(thread));
  return static_cast<LogicalThread*>(&started);
}

void sink::end_thread(LogicalThread* thread) {
  trace(TraceEvent::end_thread, thread->number);
  shadow::Thread* const shadow = thread->shadow;
  engine().end_thread(*thread);
  if (shadow != nullptr)
    shadow::end_thread(shadow);
}

namespace {

void switch_thread(::LogicalThread& to, void (*in_shadow)(shadow::Thread*)) {
  trace(TraceEvent::switch_thread, to.number);
  engine().switch_thread(to);
  if (to.shadow != nullptr)
    in_shadow(to.shadow);
}

} // namespace

void sink::switch_thread(LogicalThread* to) { ::switch_thread(*to, shadow::switch_thread); }
void sink::begin_signal_handler(LogicalThread* handler) {
  ::switch_thread(*handler, shadow::begin_signal_handler);
}
void sink::end_signal_handler(LogicalThread* interrupted) {
  ::switch_thread(*interrupted, shadow::end_signal_handler);
}

void sink::cut_off(LogicalThread* thread) {
  trace(TraceEvent::cut_off, thread->number);
  thread->collecting = 0;
  engine().cut_off(*thread);
  if (thread->shadow != nullptr)
    shadow::cut_off(thread->shadow);
}

namespace {

RoutineRecord& record_of_call(::LogicalThread& thread, RoutineId routine) {
  if (collector::profile_options->max_contexts == 0)
    return collector::the_profile->record(thread.thread, routine);
  return collector::the_profile->record_in_context(thread.thread, thread.stack.top().record,
                                                   routine);
}

[[gnu::noinline]] void call_selectively(RoutineId routine, GuestAddr site) {
  ::LogicalThread& thread = *engine().current();
  if (collector::shadowing)
    shadow::call(routine, site);
  if (collector::ends.has(routine))
    collector::collect(false);
  const bool opens = collector::toggles.has(routine);
  thread.collecting += opens;
  const bool collected =
      collector::collecting && (collector::toggles.empty() || thread.collecting > 0);
  if (collector::begins.has(routine))
    collector::collect(true);
  trace(TraceEvent::call, index(routine), collected);
  engine().call(collected ? &record_of_call(thread, routine) : nullptr);
  if (opens)
    thread.stack.top().opens_collection = true;
}

} // namespace

void sink::call(RoutineId routine, GuestAddr site) {
  if (!collector::always) [[unlikely]]
    return call_selectively(routine, site);
  engine().call(routine);
}

namespace {

[[gnu::noinline]] void return_selectively() {
  trace(TraceEvent::return_);
  ::LogicalThread& thread = *engine().current();
  thread.collecting -= thread.stack.top().opens_collection;
  if (collector::shadowing)
    engine().return_from_top(shadow::return_());
  else
    engine().return_from_top();
}

} // namespace

void sink::return_() {
  if (!collector::always) [[unlikely]]
    return return_selectively();
  engine().return_from_top();
}

void sink::unwind() {
  if (collector::shadowing)
    shadow::unwind();
}
void sink::leave_tail_call() {
  if (collector::shadowing)
    shadow::leave_tail_call();
}

void sink::marker(u32 kind, u64 location, u32 since) { shadow::marker(kind, location, since); }
event_log::Taken sink::take_batch(CallStack&, const event_log::Event* event,
                                  const event_log::Event*, bool) {
  return {event}; // nothing is logged
}
u64 sink::marker_location(GuestAddr address) { return location_of(routines->line_of(address)); }

void sink::loop(const Loop& header_of) {
  if (collector::the_trace != nullptr) [[unlikely]] {
    collector::the_trace->put_loops(&header_of);
    write_down(TraceEvent::loop, index(header_of.id));
  }
  engine().loop(header_of);
}
void sink::iteration(const Loop&) {}
void sink::in_loop(const Loop* innermost, RoutineId routine) {
  if (collector::the_trace != nullptr) [[unlikely]] {
    collector::the_trace->put_loops(innermost);
    write_down(TraceEvent::in_loop, index(id_of(innermost)), index(routine));
  }
  engine().in_loop(innermost, routine);
}

void sink::suspend() {
  trace(TraceEvent::suspend);
  engine().suspend();
  if (collector::shadowing)
    shadow::suspend();
}
void sink::resume() {
  trace(TraceEvent::resume);
  engine().resume();
  if (collector::shadowing)
    shadow::resume();
}

void sink::kernel_read(GuestAddr address, std::size_t bytes) {
  trace(TraceEvent::kernel_read, address, bytes);
  engine().kernel_read(address, bytes);
}
void sink::kernel_write(GuestAddr address, std::size_t bytes) {
  trace(TraceEvent::kernel_write, address, bytes);
  engine().kernel_write(address, bytes);
}
void sink::map_external(GuestAddr address, std::size_t bytes) {
  trace(TraceEvent::map_external, address, bytes);
  engine().map_external(address, bytes);
}
void sink::forget(GuestAddr address, std::size_t bytes) {
  trace(TraceEvent::forget, address, bytes);
  engine().forget(address, bytes);
}
void sink::move(GuestAddr from, GuestAddr to, std::size_t bytes) {
  trace(TraceEvent::move, from, to, bytes);
  engine().move(from, to, bytes);
}
