#include "aprof/helpers.hpp"

#include "aprof/collector.hpp"
#include "aprof/engine/engine_loops_fast.hpp"
#include "aprof/trace_file.hpp"
#include "trace/clock.hpp"
#include "trace/loops/loop_events.hpp"

#include <utility>

alignas(Engine) char engine_storage[sizeof(Engine)];

namespace {

template <bool kTraced>
[[gnu::always_inline]] inline void trace(TraceEvent event, GuestAddr address, std::size_t bytes) {
  // An access outside of the client's address space is about to fault. A forked child has no trace.
  if constexpr (kTraced)
    if ((address | (address + bytes - 1)) < kGuestAddressEnd && collector::trace() != nullptr)
      collector::trace()->put(event, address, bytes);
}

template <unsigned kCellShift, bool kTraced, std::size_t kBytes> void read(GuestAddr address) {
  trace<kTraced>(TraceEvent::read, address, kBytes);
  engine().access_sized<Read, kCellShift, kBytes>(address);
}
template <unsigned kCellShift, bool kTraced> void read_any(GuestAddr address, std::size_t bytes) {
  trace<kTraced>(TraceEvent::read, address, bytes);
  engine().access<Read, kCellShift>(address, bytes);
}
template <unsigned kCellShift, bool kTraced, std::size_t kBytes> void write(GuestAddr address) {
  trace<kTraced>(TraceEvent::write, address, kBytes);
  engine().access_sized<Write, kCellShift, kBytes>(address);
}
template <unsigned kCellShift, bool kTraced> void write_any(GuestAddr address, std::size_t bytes) {
  trace<kTraced>(TraceEvent::write, address, bytes);
  engine().access<Write, kCellShift>(address, bytes);
}

template <std::size_t kBytes> void modify(GuestAddr address) {
  // Overlaps the program's own cache misses with those of the timestamps.
  __builtin_prefetch(reinterpret_cast<const void*>(address), 1);
  engine().access_sized<Modify, 2, kBytes>(address);
}

template <std::size_t kCells> void read_run(GuestAddr address) {
  engine().access_run<Read, kCells>(address);
}
template <std::size_t kCells> void write_run(GuestAddr address) {
  engine().access_run<Write, kCells>(address);
}

template <typename F> AccessHelper helper(const char* name, F* function) {
  return {name, reinterpret_cast<void*>(function)};
}

template <unsigned kShift, bool kTraced> ReadWriteHelpers of_cell_size() {
  return {
      {{helper("read_1", read<kShift, kTraced, 1>), helper("read_2", read<kShift, kTraced, 2>),
        helper("read_4", read<kShift, kTraced, 4>), helper("read_8", read<kShift, kTraced, 8>),
        helper("read_16", read<kShift, kTraced, 16>), helper("read_32", read<kShift, kTraced, 32>)},
       helper("read_any", read_any<kShift, kTraced>)},
      {{helper("write_1", write<kShift, kTraced, 1>), helper("write_2", write<kShift, kTraced, 2>),
        helper("write_4", write<kShift, kTraced, 4>), helper("write_8", write<kShift, kTraced, 8>),
        helper("write_16", write<kShift, kTraced, 16>),
        helper("write_32", write<kShift, kTraced, 32>)},
       helper("write_any", write_any<kShift, kTraced>)},
      {}};
}

// Accesses that are reported together, for cells of 4 bytes, the default. A trace has each access
// by itself.
template <std::size_t... kIndex> // at least two cells
void add_runs(ReadWriteHelpers& helpers, std::index_sequence<kIndex...>) {
  ((helpers.read.of_words[kIndex + 2] = helper("read_run", read_run<kIndex + 2>)), ...);
  ((helpers.write.of_words[kIndex + 2] = helper("write_run", write_run<kIndex + 2>)), ...);
}

void add_modify(ReadWriteHelpers& helpers) {
  helpers.modify = {{helper("modify_1", modify<1>), helper("modify_2", modify<2>),
                     helper("modify_4", modify<4>), helper("modify_8", modify<8>),
                     helper("modify_16", modify<16>), helper("modify_32", modify<32>)}};
}

template <bool kTraced> ReadWriteHelpers select(unsigned cell_shift) {
  switch (cell_shift) {
  case 0: return of_cell_size<0, kTraced>();
  case 1: return of_cell_size<1, kTraced>();
  case 2: return of_cell_size<2, kTraced>();
  case 3: return of_cell_size<3, kTraced>();
  default: return of_cell_size<4, kTraced>();
  }
}

// The slow paths, which publish the time first.
[[gnu::noinline]] void at_header(Loop* loop, const void* guest_state) {
  collector::counters = client_clock::time(guest_state);
  loop_events::event_loop(loop_events::header_in_running_routine(loop));
}

[[gnu::noinline]] void in_loop(Loop* innermost, RoutineId routine, const void* guest_state) {
  collector::counters = client_clock::time(guest_state);
  innermost = loop_events::of_running_routine(innermost, routine);
  loop_events::event_in_loop(innermost, routine);
}

template <bool kCounts> void next_iteration(Loop* loop, const void* guest_state) {
  if (engine().fast_next_iteration<kCounts>(*loop)) [[likely]]
    return;
  collector::counters = client_clock::time(guest_state);
  if (!engine().fast_loop<kCounts>(*loop)) {
    loop = loop_events::header_in_running_routine(loop);
    loop_events::event_loop(loop);
    if (kCounts)
      engine().iteration_counts(*loop);
  }
}

// The iterations of a leaf are counted by translated code, after this.
template <bool kCounts> void enter_leaf(Loop* loop, const void* guest_state) {
  collector::counters = client_clock::time(guest_state);
  if (engine().fast_enter_loop(*loop)) [[likely]]
    return;
  loop = loop_events::header_in_running_routine(loop);
  loop_events::event_loop(loop);
  if (kCounts && (*engine().running())->loop != loop)
    --*engine().leaf_trips();
}

void leave_loop(Loop* innermost, RoutineId routine, const void* guest_state) {
  collector::counters = client_clock::time(guest_state);
  if (engine().fast_in_loop(innermost, routine)) [[likely]]
    return;
  innermost = loop_events::of_running_routine(innermost, routine);
  loop_events::event_in_loop(innermost, routine);
}

void count_other_iteration(Loop* loop) {
  Loop* const other = loop_events::of_running_routine(loop);
  if (other != nullptr && other != loop)
    engine().iteration_counts(*other);
}

void trace_iteration(Loop* loop) {
  loop = loop_events::of_running_routine(loop);
  if (loop == nullptr)
    return;
  if (collector::trace() != nullptr)
    collector::trace()->put(TraceEvent::loop_iteration, index(loop->id));
  engine().iteration_counts(*loop);
}

} // namespace

RunningLoop running_loop(bool traced) {
  RunningLoop running{engine().running(),
                      offsetof(Activation, loop),
                      offsetof(Activation, trips),
                      engine().leaf_trips(),
                      next_iteration<false>,
                      next_iteration<true>,
                      enter_leaf<false>,
                      enter_leaf<true>,
                      leave_loop,
                      count_other_iteration,
                      nullptr};
  if (traced) {
    running.at_header = running.at_leaf = at_header;
    running.in_loop = in_loop;
    running.at_iteration = trace_iteration;
  }
  return running;
}

ReadWriteHelpers access_helpers(unsigned cell_shift, bool traced) {
  ReadWriteHelpers helpers = traced ? select<true>(cell_shift) : select<false>(cell_shift);
  if (!traced && 1 << cell_shift == AccessRuns::kWord) {
    add_runs(helpers, std::make_index_sequence<AccessRuns::kMostWords - 1>());
    add_modify(helpers);
  }
  return helpers;
}
