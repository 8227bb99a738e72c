// The engine: the read/write timestamping algorithm (aprof-trms paper, Figures 11-13).
//
// Turns the trace of logical threads (call, return, read, write, kernelRead, kernelWrite,
// switchThread) into the RMS, TRMS, induced first-accesses and cost of every activation. Both
// metrics come from the same timestamps: RMS counts accesses with ts < S[top].ts; TRMS counts these
// and those with ts < wts.
//
// switch_thread must come between any two events of different logical threads (logical_thread.hpp).
// All other events belong to the logical thread of the latest switch.
//
// Owns the logical threads and shadow memory, and fills the Profile that it is given. Independent
// of Valgrind: tests drive it with synthetic traces. The hot half is in engine_fast.hpp. Cost: O(1)
// per event, except O(log depth) for a read that is a first access; renumbering as in §4.4, for
// live chunks only.
#pragma once

#include "aprof/cells/shadow_memory.hpp"
#include "aprof/engine/logical_thread.hpp"
#include "aprof/profile/profile.hpp"
#include "base/types.hpp"

#include <span>
#include <utility>

struct EngineOptions {
  unsigned cell_shift = 2;      // a memory cell is 2^cell_shift bytes, 0..4
  u64 counter_limit = 0;        // renumber after this many ticks; 0: when 31 bits are used up
  std::size_t pack_every = 0;   // see ShadowMemory
  const Costs* clock = nullptr; // the cost so far of all threads together
  bool check = false;           // check the invariants at each return and renumbering
  // Returns work and span so far of all pending activations, outermost first. Null: not measured.
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
  // The thread's pending activations will never return: adds their cost so far to their routines'
  // totals. The thread continues with none pending, and not suspended.
  void cut_off(LogicalThread& thread);

  void switch_thread(LogicalThread& to);
  LogicalThread* current() const { return current_; }

  // Figure 11. If `record` is null, the activation is not collected.
  void call(RoutineRecord* record);
  void call(RoutineId routine) { // collected, in the record of its thread and routine
    if (!fast_call(routine)) [[unlikely]]
      slow_call(routine);
  }
  void return_from_top() {
    if (!fast_return()) [[unlikely]]
      slow_return(nullptr);
  }
  // `work_span`: the activation's work and span; null: not measured.
  void return_from_top(const Invocation* work_span) { slow_return(work_span); }

  // Control is at the loop's header: the loop or its next iteration begins.
  void loop(const Loop& header_of);
  // The fast paths of loop() (engine_loops_fast.hpp): the next iteration of a loop that is no leaf,
  // the beginning of a loop that is not running, and, of a loop that is no leaf, what comes seldom.
  // They return false in all other cases, and loop() must be called. `kCounts`: also counts the
  // iteration.
  template <bool kCounts = false> bool fast_next_iteration(const Loop& header_of);
  template <bool kCounts = false> bool fast_enter_loop(const Loop& header_of);
  template <bool kCounts = false> bool fast_loop(const Loop& header_of);
  // Control is in the loop `innermost` of the routine, or in none if it is null. The routine's
  // pending loops that do not contain `innermost` have ended.
  void in_loop(const Loop* innermost, RoutineId routine);
  bool fast_in_loop(const Loop* innermost, RoutineId routine); // likewise
  // Counts an iteration of the loop if the loop is running.
  void iteration_counts(const Loop& of);

  // `Access` is a policy (accesses.hpp): Read, Write, or Modify, which is a read and a write of the
  // same cells.
  template <typename Access, unsigned kCellShift> void access(GuestAddr address, std::size_t bytes);
  // The same for a power of two of bytes that is known at compile time.
  template <typename Access, unsigned kCellShift, std::size_t kBytes>
  void access_sized(GuestAddr address);
  // The same for kCells adjacent cells of 4 bytes.
  template <typename Access, std::size_t kCells> void access_run(GuestAddr address);

  // Figure 12, for ranges of any length.
  void kernel_read(GuestAddr address, std::size_t bytes);
  void kernel_write(GuestAddr address, std::size_t bytes);
  // A kernelWrite of a whole file that was just mapped; takes no memory until it is accessed.
  void map_external(GuestAddr address, std::size_t bytes);

  // The range was unmapped, or mapped anew: nobody has accessed what is there now. Cells that are
  // only partly in the range are kept.
  void forget(GuestAddr address, std::size_t bytes);
  // mremap has moved the cells. Both addresses are page aligned.
  void move(GuestAddr from, GuestAddr to, std::size_t bytes);

  // Between suspend() and resume() (lazy symbol binding), the current thread is not traced, and its
  // cost belongs to no activation.
  void suspend();
  void resume();
  // The cost that belongs to no activation: of suspended threads, or of threads with none pending.
  // This and the self costs of all activations add up to the clock.
  Costs uncounted() const;

  // Calls f(activation, sample so far, record of its caller) for every pending collected activation
  // of the logical thread, top first.
  template <typename F> void for_each_pending(const LogicalThread& thread, F f) const;
  // Calls f(execution, its completed iterations, sample so far) for every pending execution of a
  // loop in a collected activation, top first.
  template <typename F> void for_each_pending_loop(const LogicalThread& thread, F f) const;
  const Vector<LogicalThread*>& threads() const { return threads_; }

  // The addresses at which translated code finds the running activation, and counts iterations of
  // the leaf on top.
  Activation* const* running() const { return &top_; }
  u64* leaf_trips() { return &leaf_trips_; }

  // Numbers are reset to zero, after a fork or at the client's request. Pending activations began
  // before that and will not be collected.
  void drop_pending();

  u64 renumberings() const { return renumberings_; }
  const ShadowMemory& shadow() const { return shadow_; }

  // Checks every invariant of the data structures; returns how many words it read.
  u64 check() const;

private:
  // Calls f(activation, sample so far, record below) for every pending activation and execution of
  // a loop, top first.
  template <typename F> void walk_pending(const LogicalThread& thread, F f) const;

  template <unsigned kCellShift> friend struct CellLookup;
  friend struct Read;
  friend struct Write;
  friend struct Modify;

  // Leaves room in 31 bits for the next tick and the stamp below it (engine_fast.hpp).
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
  // The fast paths of most calls and returns. They return false, and do nothing, in all other
  // cases.
  bool fast_call(RoutineId routine);
  template <bool kArgumentsAdded = false> bool fast_return();
  Sample sample_of_top(const Costs& inclusive, const Invocation* work_span) const;
  void slow_call(RoutineId routine);
  void slow_return(const Invocation* work_span);
  bool runs(RoutineId routine) const;
  bool end_loops_around(const Loop* innermost);
  void next_iteration_of_top();
  bool begin_iteration(bool counts);
  void begin_loops(const Loop& innermost, bool in_body);
  void push_loop(const Loop& loop, LoopRecord* with);
  void take_leaf_trips() {
    if (leaf_trips_ != 0) [[unlikely]]
      take_counted_leaf_trips();
  }
  void take_counted_leaf_trips();
  bool fast_begin_loop(const Loop& loop, bool counts);
  bool fast_end_loop();
  LoopRecord::Kind kind_of_top() const;
  void count_execution();
  void end_loop();
  void begin_second_iteration();
  void count_first_iteration();
  void next_iteration();
  void count_iteration();
  // Whether the iteration with this ordinal, starting at 1, begins an octave. (popcount would be a
  // function call.)
  static bool begins_octave(u64 ordinal) { return (ordinal & (ordinal - 1)) == 0; }
  bool octave_ends() const;
  void begin_octave();
  void end_octave();
  void merge_top();
  void pop_merged();
  void check_return(const Costs& inclusive); // also pops the top activation
  u64 check_calls() const;
  void renumber_if_due();
  void tick();
  void stop_clock();
  void start_clock();
  template <typename Access, unsigned kCellShift, std::size_t kBytes>
  void access_without_blocks(GuestAddr address);
  template <typename Access, unsigned kCellShift, std::size_t kBytes>
  void access_unaligned(GuestAddr address);
  // Creates the chunk's timestamps for the current thread, unless it is suspended.
  void materialise(std::size_t number);
  // Likewise; returns the chunk's cells, or none if they are indexed. Valid until the next call.
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
  // Reads and modifications that are not no-ops.
  template <std::size_t kCells> void first_accesses(Cells cells);
  template <std::size_t kCells> void first_modify(Cells cells);
  // Accesses to indexed cells.
  static constexpr u32 kAccessesToCompact = 1024; // cost as much as one compaction
  void read_indexed(std::size_t number, std::size_t first, std::size_t cells);
  void first_accesses(IndexedCells& cells, std::size_t first, std::size_t count, Timestamp before);
  void write_indexed(std::size_t number, std::size_t first, std::size_t cells);
  bool stay_indexed(std::size_t number);          // false: they became blocks
  bool add_entry(IndexedCells& cells);            // for the present stamp; false: there is no room
  void read_each(Cells cells, std::size_t count); // the cells may differ in their past
  void count_first_accesses(Timestamp before, i64 cells);
  void uncount_for_ancestor(Timestamp before, i64 cells);
  void uncount_for_far_ancestor(Timestamp before, i64 cells);
  void count_induced_accesses(Timestamp before, std::size_t count, bool by_kernel);
  void move_to_surplus_of_far_ancestor(Timestamp before, i64 cells);
  void renumber();
  template <typename Visit> void for_each_chunk(GuestAddr, std::size_t bytes, Visit visit);
  void forget_in_chunk(GuestAddr page, std::size_t number, GuestAddr begin, GuestAddr end);
  void move_within_chunks(GuestAddr from, GuestAddr to,
                          std::size_t bytes); // each range within one chunk

  EngineOptions options_;
  Profile& profile_;
  // The hot fields: what a read or write needs of the current logical thread.
  const Slot* slots_ = nullptr; // current_->ts, or no cells while suspended
  Timestamp now_{2};
  Timestamp top_ts_;          // S[top].ts
  Activation* top_ = nullptr; // S[top]
  Timestamp slice_{2};        // since when nobody else has written
  u64 leaf_trips_ = 0;        // of the topmost execution of a loop, if a leaf, beyond its `trips`
  LogicalThread* current_ = nullptr;
  // Records of the current thread's routines. Empty after a slow call, which may move them.
  std::span<RoutineRecord*> known_;
  bool has_fast_return_; // one cost event is measured, without checks
  u8 only_event_ = 0;    // that cost event
  u32 renumber_at_;      // value of now_ that triggers renumbering
  u64 renumberings_ = 0;
  Costs started_; // the clock minus that of the current thread
  Costs uncounted_;
  Costs uncounted_before_; // value at the latest drop_pending()
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
  Costs of_callees; // of the routine's activation at hand, including calls from its loops
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
  std::size_t routines = 0; // still to be visited
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
  u64 leaf_trips = &thread == current_ ? leaf_trips_ : 0; // of the first one
  walk_pending(thread, [&](const Activation& activation, const Sample& sample, RoutineRecord*) {
    if (!activation.is_loop())
      return;
    const u64 iterations = activation.completed() + std::exchange(leaf_trips, 0);
    if (activation.record != nullptr)
      f(activation, iterations, sample);
  });
}
