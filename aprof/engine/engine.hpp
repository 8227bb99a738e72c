// The read/write timestamping algorithm (aprof-trms paper, Figures 11-13).
//
// Turns the trace of logical threads - call, return, read, write, kernelRead, kernelWrite,
// switchThread - into the RMS, TRMS, induced first-accesses and cost of every activation. RMS and
// TRMS come from the same timestamps: RMS counts the accesses with ts < S[top].ts, TRMS those and
// the ones with ts < wts.
//
// switch_thread stands between any two events of different logical threads (logical_thread.hpp).
// The other events are those of the logical thread switched to last.
//
// Owns the logical threads and shadow memory, and fills a Profile that it is given. Knows nothing
// of Valgrind: tests drive it with synthetic traces. The hot half is in engine_fast.hpp. Cost: each
// event O(1), but a read that is a first access O(log depth); renumbering as in §4.4, of live
// chunks only.
#pragma once

#include "aprof/cells/shadow_memory.hpp"
#include "aprof/engine/logical_thread.hpp"
#include "aprof/profile/profile.hpp"
#include "base/types.hpp"

#include <span>

struct EngineOptions {
  unsigned cell_shift = 2;      // a memory cell is 2^cell_shift bytes, 0..4
  u64 counter_limit = 0;        // renumber every so many ticks; 0: when 31 bits are used up
  std::size_t pack_every = 0;   // for ShadowMemory
  const Costs* clock = nullptr; // all costs so far, by whichever thread
  bool check = false;           // check the invariants at each return and renumbering
  // Returns work and span so far of all pending activations, outermost first; null: not measured.
  Vector<Invocation> (*work_span_so_far)(const LogicalThread&) = nullptr;
};

class Engine {
public:
  Engine(const EngineOptions& options, Profile& profile);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  LogicalThread& start_thread(ThreadIndex thread);
  void end_thread(LogicalThread& thread);
  // The thread's pending activations will never return: their cost so far enters their routines'
  // totals. The thread goes on with none pending, and not suspended.
  void cut_off(LogicalThread& thread);

  void switch_thread(LogicalThread& to);
  LogicalThread* current() const { return current_; }

  // Figure 11. With a null `record`, the activation is not collected.
  void call(RoutineRecord* record);
  void call(RoutineId routine) { // collected, into the record of its thread and routine
    if (!fast_call(routine)) [[unlikely]]
      slow_call(routine);
  }
  void return_from_top() {
    if (!fast_return()) [[unlikely]]
      slow_return(nullptr);
  }
  // `work_span`: what was measured of the activation; null: not measured.
  void return_from_top(const Invocation* work_span) { slow_return(work_span); }

  // Control is at the loop's header: the loop begins, or another iteration of it.
  void loop(const Loop& header_of);
  // The few steps of most iterations. Returns false, and has done nothing, if this is another event
  // or needs more.
  bool fast_next_iteration(const Loop& header_of);
  // Control is in the loop `innermost` of the routine, or with null in none. Those of its pending
  // loops that do not contain `innermost` have ended.
  void in_loop(const Loop* innermost, RoutineId routine);

  // `Access` is a policy (accesses.hpp): Read, Write, or Modify, which is a read and a write of the
  // same cells.
  template <typename Access, unsigned kCellShift> void access(GuestAddr address, std::size_t bytes);
  // The same for a size known to the caller's compiler, a power of two.
  template <typename Access, unsigned kCellShift, std::size_t kBytes>
  void access_sized(GuestAddr address);
  // The same for so many neighbouring cells of 4 bytes.
  template <typename Access, std::size_t kCells> void access_run(GuestAddr address);

  // Figure 12, of ranges of any length.
  void kernel_read(GuestAddr address, std::size_t bytes);
  void kernel_write(GuestAddr address, std::size_t bytes);
  // A kernelWrite of all of a file that was just mapped; takes no memory for what is not touched.
  void map_external(GuestAddr address, std::size_t bytes);

  // The range was unmapped, or mapped afresh: nobody has accessed what is there now. Cells that it
  // covers in part are kept.
  void forget(GuestAddr address, std::size_t bytes);
  // The cells were moved by mremap. Both addresses are page aligned.
  void move(GuestAddr from, GuestAddr to, std::size_t bytes);

  // Between the two (lazy symbol binding) the current thread is not traced, and its cost is of no
  // activation.
  void suspend();
  void resume();
  // The cost of no activation: while suspended, or with none pending. It and the self costs of all
  // activations add up to the clock.
  Costs uncounted() const;

  // Calls f(activation, sample so far, record of its caller) for every pending collected activation
  // of the logical thread, top first.
  template <typename F> void for_each_pending(const LogicalThread& thread, F f) const;
  // Calls f(activation, sample so far) for every pending execution of a loop in a collected
  // activation, top first.
  template <typename F> void for_each_pending_loop(const LogicalThread& thread, F f) const;
  const Vector<LogicalThread*>& threads() const { return threads_; }

  // For translated code: where it finds the activation that runs.
  Activation* const* running() const { return &top_; }

  // Numbers start from zero, as the client forked or asked for it. What is pending began before,
  // and will not be collected.
  void drop_pending();

  u64 renumberings() const { return renumberings_; }
  const ShadowMemory& shadow() const { return shadow_; }

  u64 check() const; // every invariant of the data structures; returns how many words it read

private:
  // Calls f(activation, sample so far, record below) for every pending activation and execution of
  // a loop, top first.
  template <typename F> void walk_pending(const LogicalThread& thread, F f) const;

  template <unsigned kCellShift> friend struct CellLookup;
  friend struct Read;
  friend struct Write;
  friend struct Modify;

  // Room for the next tick and the stamp below it, in 31 bits (engine_fast.hpp).
  static constexpr u32 kLastCounter = (u32{1} << 31) - 4;

  Costs clock_of(const LogicalThread& thread) const {
    return &thread == current_ && !thread.suspended ? *options_.clock - started_ : thread.elapsed;
  }
  Costs of_no_activation(const LogicalThread& thread) const;
  bool suspended() const { return current_ != nullptr && current_->suspended; }

  // Returns the number of the chunk that begins at `page` * kChunkBytes.
  std::size_t find_or_add_number(GuestAddr page) {
    return page < kLowChunks ? page : high_.find_or_add(page);
  }
  // The few steps that most calls and returns need. They return false, and have done nothing, if
  // this one needs more.
  bool fast_call(RoutineId routine);
  template <bool kArgumentsAdded = false> bool fast_return();
  Sample sample_of_top(const Costs& inclusive, const Invocation* work_span) const;
  void slow_call(RoutineId routine);
  void slow_return(const Invocation* work_span);
  bool runs(RoutineId routine) const;
  void end_loops_around(const Loop* innermost);
  void begin_loops(const Loop& innermost, bool in_body);
  void push_loop(const Loop& loop, LoopRecord* record);
  void count_execution();
  void end_loop();
  void begin_second_iteration();
  void count_first_iteration();
  void next_iteration();
  void count_iteration();
  // Of an iteration with this ordinal, from 1. (What counts all binary digits would be a call.)
  static bool begins_octave(u64 ordinal) { return (ordinal & (ordinal - 1)) == 0; }
  bool octave_ends() const;
  void begin_octave();
  void end_octave();
  void merge_top();
  void pop_merged();
  void check_return(const Costs& inclusive); // pops the top activation, too
  u64 check_calls() const;
  void tick();
  void stop_clock();
  void start_clock();
  template <typename Access, unsigned kCellShift, std::size_t kBytes>
  void access_without_blocks(GuestAddr address);
  template <typename Access, unsigned kCellShift, std::size_t kBytes>
  void access_unaligned(GuestAddr address);
  // Makes the chunk known to the current thread, unless it is suspended.
  void materialise(std::size_t number);
  // The same; returns the chunk's cells, valid until the next call, or none if they are indexed.
  Cells obtain_cells(std::size_t number) {
    make_room();
    if (!shadow_.has_room() && shadow_.needs_block(current_->ts, number)) [[unlikely]]
      demote();
    return shadow_.obtain_cells(current_->ts, number);
  }
  Cells cells_in_blocks(std::size_t number) const {
    return slots_[number].cells(number, kChunkBytes >> options_.cell_shift);
  }
  void make_room() {
    if (shadow_.is_packing_due()) [[unlikely]]
      pack_idle();
  }
  void pack_idle();
  void demote();
  Vector<u32> pending_timestamps() const; // of all pending activations, ascending: A of Figure 13
  // Reads, and reads with writes, that are no no-ops.
  template <std::size_t kCells> void first_accesses(Cells cells);
  template <std::size_t kCells> void first_modify(Cells cells);
  // Accesses to indexed cells, and whether they have an entry for what is stamped now.
  static constexpr u32 kAccessesToCompact = 1024; // cost as much as one compaction
  void read_indexed(std::size_t number, std::size_t first, std::size_t cells);
  void first_accesses(IndexedCells& cells, std::size_t first, std::size_t count, Timestamp before);
  void write_indexed(std::size_t number, std::size_t first, std::size_t cells);
  bool stay_indexed(std::size_t number);          // false: they became blocks
  bool add_entry(IndexedCells& cells);            // false: there is no room
  void read_each(Cells cells, std::size_t count); // with any pasts
  void count_first_accesses(Timestamp before, i64 cells);
  void uncount_for_ancestor(Timestamp before, i64 cells);
  void uncount_for_far_ancestor(Timestamp before, i64 cells);
  void count_induced_accesses(Timestamp before, std::size_t count, bool by_kernel);
  void move_to_surplus_of_far_ancestor(Timestamp before, i64 cells);
  void renumber();
  template <typename Visit> void for_each_chunk(GuestAddr, std::size_t bytes, Visit visit);
  void forget_in_chunk(GuestAddr page, std::size_t number, GuestAddr begin, GuestAddr end);
  void move_within_chunks(GuestAddr from, GuestAddr to, std::size_t bytes); // in one chunk each

  EngineOptions options_;
  Profile& profile_;
  // The hot words: what a read or write needs of the current logical thread.
  const Slot* slots_ = nullptr; // current_->ts, or no cells while suspended
  Timestamp now_{2};
  Timestamp top_ts_;          // S[top].ts
  Activation* top_ = nullptr; // S[top]
  Timestamp slice_{2};        // since when nobody else wrote
  LogicalThread* current_ = nullptr;
  // Records of the current thread's routines; none after a slow call, which moves them.
  std::span<RoutineRecord*> known_;
  bool has_fast_return_; // one cost event is measured, and nothing checked
  u8 only_event_ = 0;    // that one
  u32 renumber_at_;      // when now_ has this value
  u64 renumberings_ = 0;
  Costs started_; // the clock minus that of the current thread
  Costs uncounted_;
  Costs uncounted_before_; // uncounted at the latest drop_pending
  ShadowMemory shadow_;
  HighChunks high_;
  AccessTable no_cells_;
  Vector<LogicalThread*> threads_{"aprof.engine.threads"};
  u32 threads_started_ = 0;
  u64 unchecked_returns_ = 0;
  u64 words_checked_ = 0; // by the latest check()
};

template <typename F> void Engine::walk_pending(const LogicalThread& thread, F f) const {
  const Costs now = clock_of(thread);
  Costs of_callees; // of the routine's activation that is looked at, also from its loops
  u64 by_thread = 0;
  u64 by_kernel = 0;
  for (std::size_t i = thread.stack.depth(); i-- > 1;) {
    const Activation& activation = thread.stack[i];
    const Costs inclusive = now - activation.at_entry;
    of_callees += activation.children;
    by_thread += activation.induced_by_thread();
    by_kernel += activation.induced_by_kernel;
    if (activation.is_iteration)
      continue;
    Sample sample{by_thread, by_kernel, without_work_span(inclusive),
                  without_work_span(inclusive - of_callees)};
    f(activation, sample, thread.stack[i - 1].record);
    if (!activation.is_loop())
      of_callees = inclusive;
  }
}

template <typename F> void Engine::for_each_pending(const LogicalThread& thread, F f) const {
  Vector<Invocation> work_span("aprof.engine.pending");
  if (options_.work_span_so_far != nullptr)
    work_span = options_.work_span_so_far(thread);
  std::size_t routines = 0; // still to come
  for (std::size_t i = 1; i < thread.stack.depth(); i++)
    routines += !thread.stack[i].is_loop();
  walk_pending(thread, [&](const Activation& activation, Sample& sample, RoutineRecord* caller) {
    if (activation.is_loop())
      return;
    routines--;
    if (!work_span.empty())
      sample.add(work_span[routines]);
    if (activation.record != nullptr)
      f(activation, sample, caller);
  });
}

template <typename F> void Engine::for_each_pending_loop(const LogicalThread& thread, F f) const {
  walk_pending(thread, [&](const Activation& activation, const Sample& sample, RoutineRecord*) {
    if (activation.is_loop() && activation.record != nullptr)
      f(activation, sample);
  });
}
