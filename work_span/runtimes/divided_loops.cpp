#include "work_span/runtimes/divided_loops.hpp"

#include "base/lazy.hpp"
#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "trace/loops/loop_source.hpp"
#include "work_span/runtimes/tasks.hpp"
#include "work_span/runtimes/teams.hpp"
#include "work_span/state/system_headers.hpp"

#include <algorithm>
#include <utility>

namespace divided_loops {

namespace {

constexpr u8 kAskedSize = 1, kAskedNumber = 2, kAskedBoth = 3;

// What is known of a routine, by RoutineId.
struct Known {
  bool has_parts = false; // of a parallel loop
  bool is_known_as_body = false;
  bool is_body = false;
};
Lazy<Vector<Known>> all_known{"cilkshadow.divided"};

Known& known(RoutineId routine) {
  if (index(routine) >= all_known->size())
    all_known->resize(2 * std::size_t{index(routine)} + 1);
  return (*all_known)[index(routine)];
}

void begin_in(SpanFrame& frame) {
  frame.divides = true;
  known(frame.routine).has_parts = true;
}

bool is_shared(const tasks::Task& task) {
  return task.team != nullptr && task.parent == nullptr && !task.team->is_serial;
}

SpanFrame* top_frame() {
  SpanThread& span = shadow::span();
  return span.frames.empty() ? nullptr : &span.frames.back();
}

bool is_of_program(const char* file) {
  return !system_headers::is_in_onetbb(file) && !system_headers::is_installed(file);
}

// Whether the program's code is inlined into the routine that begins at `entry`.
bool has_code_of_program(GuestAddr entry) {
  constexpr GuestAddr kStep = 4; // bytes; some instructions of a line are longer
  constexpr GuestAddr kMostBytes = 1 << 14;
  for (GuestAddr at = entry; at < entry + kMostBytes && routines->same_symbol(entry, at);
       at += kStep)
    if (const u32 file = routines->line_of(at).file;
        file != 0 && is_of_program(routines->files()[file]))
      return true;
  return false;
}

// `site`: the call, in the same object, if the routine is a template.
bool find_body(const Routine& routine, RoutineClass c, GuestAddr site) {
  if (matches(routine.name, {"*operator()*blocked_range*"}))
    return true;
  if (c != RoutineClass::templates)
    return false;
  return has_code_of_program(site - RoutineTable::address_in_file(site) + routine.address);
}

// Of the function that calls a body for each index, the loop is the program's.
bool is_of_library(const LoopSource& source) {
  return source.file != 0 && system_headers::is_of_onetbb(routines->files()[source.file]) &&
         (source.function == nullptr || !matches(source.function, {"*operator()*"}));
}

// Finds whether a loop of a routine with parts is the program's own.
bool is_of_program(Loop& loop) {
  if (loop.source == nullptr)
    find_sources(loop);
  const bool of_library = is_of_library(*loop.source);
  shadow::sites()[shadow::sites().of(loop)].is_of_library = of_library;
  return !of_library;
}

} // namespace

void begin(const tasks::Task& task) {
  if (SpanFrame* frame = top_frame(); frame != nullptr && is_shared(task))
    begin_in(*frame);
}

void end() {
  if (SpanFrame* frame = top_frame(); frame != nullptr)
    frame->divides = false;
}

void pause(bool on) {
  if (SpanFrame* frame = top_frame(); frame != nullptr)
    frame->divides = !on && frame->asked == kAskedBoth;
}

void answered(const tasks::Task& task, bool size) {
  SpanFrame* frame = top_frame();
  if (frame == nullptr || !is_shared(task))
    return;
  frame->asked |= size ? kAskedSize : kAskedNumber;
  if (frame->asked == kAskedBoth)
    begin_in(*frame);
}

void task_begins(const shadow::Thread& thread, RoutineId routine) {
  if (matches((*routines)[routine].name,
              {"tbb::detail::d?::start_for<*", "tbb::detail::d?::start_reduce<*",
               "tbb::detail::d?::start_deterministic_reduce<*"}))
    begin_in(thread.span->frames.back());
}

bool is_body(const shadow::Thread& thread, RoutineId routine, RoutineClass c, GuestAddr site) {
  const Vector<SpanFrame>& frames = thread.span->frames;
  if (frames.empty() || !frames.back().divides) [[likely]]
    return false;
  Known& of = known(routine);
  if (!std::exchange(of.is_known_as_body, true))
    of.is_body = find_body((*routines)[routine], c, site);
  return of.is_body;
}

void body_begins(const shadow::Thread& thread) { begin_in(thread.span->frames.back()); }

// A barrier may be among the calls of a loop, and parts within it.
bool logs_iterations(Loop& loop) {
  if (!known(loop.routine).has_parts || !is_of_program(loop) || loop.leaf)
    return false;
  for (Loop* around = loop.parent; around != nullptr; around = around->parent)
    if (is_of_program(*around) && !around->has_calls)
      return false;
  return true;
}

RoutineTable::SourceLine line_in_template(const Loop& loop) {
  constexpr GuestAddr kMostBytes = 4096;
  RoutineTable::SourceLine found{};
  if (loop.blocks.empty() || loop.source == nullptr || loop.source->file == 0 ||
      !system_headers::is_of_onetbb(routines->files()[loop.source->file]))
    return found;
  const GuestAddr begin = *std::min_element(loop.blocks.begin(), loop.blocks.end());
  for (GuestAddr at = begin; at <= loop.last && at < begin + kMostBytes; at++) {
    const RoutineTable::SourceLine line = routines->line_of(at);
    if (line.file == 0 || line.line == 0 || (found.file != 0 && line.file != found.file))
      continue;
    const char* const file = routines->files()[line.file];
    if (is_of_program(file))
      found = {line.file, found.file == 0 ? line.line : std::min(found.line, line.line)};
  }
  return found;
}

} // namespace divided_loops
