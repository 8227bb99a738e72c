#include "aprof/engine/engine.hpp"

#include "aprof/engine/engine_fast.hpp"

#include <algorithm>

Engine::Engine(const EngineOptions& options, Profile& profile)
    : options_(options), profile_(profile),
      has_fast_return_(profile.options().event_count == 1 && !options.check &&
                       options.work_span_so_far == nullptr),
      only_event_(static_cast<u8>(profile.options().events[0])),
      shadow_(options.cell_shift, options.pack_every) {
  CHECK(options.cell_shift <= 4);
  renumber_at_ = options.counter_limit == 0
                     ? kLastCounter
                     : static_cast<u32>(now_.value() + 2 * options.counter_limit);
}

Engine::~Engine() {
  for (LogicalThread* thread : threads_) {
    shadow_.close(thread->ts, false);
    destroy(thread);
  }
}

LogicalThread& Engine::start_thread(ThreadIndex index) {
  auto* thread = create<LogicalThread>("aprof.engine.thread", ++threads_started_, index);
  thread->live_index = static_cast<u32>(threads_.size());
  threads_.push_back(thread);
  tick();
  thread->stack.push(now_, nullptr, {});
  tick(); // the current thread's next accesses are later than the base entry
  return *thread;
}

void Engine::cut_off(LogicalThread& thread) {
  if (&thread == current_)
    stop_clock();
  for_each_pending(
      thread, [](const Activation& activation, const Sample& sample, const RoutineRecord* caller) {
        activation.record->add_unfinished(caller, activation.outermost, sample);
      });
  for_each_pending_loop(
      thread, [](const Activation& execution, u64 iterations, const Sample& sample) {
        execution.loop_record->add_unfinished(execution.outermost, iterations, sample);
      });
  if (&thread == current_)
    leaf_trips_ = 0;
  ShadowStack& stack = thread.stack;
  if (stack.depth() > 1)
    stack[0].children += thread.elapsed - stack[1].at_entry;
  while (stack.depth() > 1)
    stack.pop();
  thread.forget_pending();
  thread.suspended = false;
  if (&thread == current_)
    start_clock();
}

void Engine::end_thread(LogicalThread& thread) {
  cut_off(thread);
  shadow_.close(thread.ts, threads_.size() > 1);
  uncounted_ += of_no_activation(thread);
  if (&thread == current_) {
    current_ = nullptr;
    started_ = *options_.clock;
  }
  threads_.back()->live_index = thread.live_index;
  threads_.swap_remove(thread.live_index);
  destroy(&thread);
}

// Ends the period since start_clock(). Its cost belongs to the current thread, or to none.
void Engine::stop_clock() {
  if (current_ == nullptr) {
    uncounted_ += *options_.clock - started_;
    return;
  }
  const Costs period = *options_.clock - started_ - current_->elapsed;
  (current_->suspended ? uncounted_ : current_->elapsed) += period;
}

void Engine::start_clock() {
  started_ = *options_.clock - current_->elapsed;
  top_ = &current_->stack.top();
  top_ts_ = top_->ts;
  known_ = {};
  slots_ = current_->suspended ? no_cells_.slots() : current_->ts.slots();
}

void Engine::switch_thread(LogicalThread& to) {
  stop_clock();
  if (current_ != nullptr)
    take_leaf_trips();
  current_ = &to;
  start_clock();
  tick();
  slice_ = now_;
}

// Handles a call of a routine that is not in known_, as at the thread's first call of it, and a
// call that is due for renumbering.
[[gnu::noinline]] void Engine::slow_call(RoutineId routine) {
  took(SlowPath::call);
  call(&profile_.record(current_->thread, routine));
  known_ = profile_.records(current_->thread);
  known_ = known_.first(std::min(known_.size(), current_->pending.size()));
}

// The sample of the top activation, which is about to return.
Sample Engine::sample_of_top(const Costs& inclusive, const Invocation* work_span) const {
  const Activation& top = *top_;
  Sample sample{top.induced_by_thread(), top.induced_by_kernel, without_work_span(inclusive),
                without_work_span(inclusive - top.children), top.callees_rms};
  if (work_span != nullptr)
    sample.add(*work_span);
  return sample;
}

[[gnu::noinline]] void Engine::slow_return(const Invocation* work_span) {
  while (top_->is_loop())
    [[unlikely]] // left other than by a jump within the routine
    end_loop();
  const Costs inclusive = *options_.clock - started_ - top_->at_entry;
  if (!top_->kept.are_none() && top_->record != nullptr && top_->record->takes_arguments()) {
    top_->record->add_arguments(top_->kept, top_->arguments, sample_of_top(inclusive, work_span));
    if (work_span == nullptr && fast_return<true>())
      return;
  }
  took(SlowPath::return_);
  ShadowStack& stack = current_->stack;
  CHECK(stack.depth() > 1);
  Activation& top = stack.top(); // by reference: loading what was just stored would stall
  Activation& caller = (&top)[-1];
  if (top.record != nullptr) {
    CHECK(top.rms >= 0 && top.surplus >= 0);
    current_->pending[index(top.record->routine)]--;
    top.record->add(caller.record, top.outermost, static_cast<u64>(top.rms),
                    static_cast<u64>(top.rms + top.surplus), sample_of_top(inclusive, work_span));
  }
  caller.rms += top.rms;
  caller.surplus += top.surplus;
  caller.induced += top.induced;
  caller.induced_by_kernel += top.induced_by_kernel;
  caller.children += inclusive;
  caller.callees_rms += static_cast<u64>(top.rms);
  top_ = &caller;
  top_ts_ = caller.ts;
  if (options_.check) [[unlikely]]
    return check_return(inclusive);
  stack.pop();
}

// Lines 1-12 of read in Figure 11, for both metrics. Handles runs of cells with the same past at
// once.
[[gnu::noinline]] void Engine::read_each(Cells cells, std::size_t count) {
  took(SlowPath::unlike_cells);
  const auto [ts, wts] = cells;
  for (std::size_t i = 0; i < count;) {
    const Timestamp before = ts[i];
    const bool is_induced = before < wts[i];
    const bool by_kernel = wts[i].is_kernel_write();
    const std::size_t first = i++;
    if (is_induced) {
      while (i < count && ts[i] == before && before < wts[i] &&
             wts[i].is_kernel_write() == by_kernel)
        i++;
    } else {
      while (i < count && ts[i] == before && wts[i] <= before)
        i++;
      if (before >= top_ts_)
        continue;
    }
    std::fill(ts + first, ts + i,
              now_.flagged_as(before)); // in shared chunks, `before` never has the flag
    if (is_induced)
      count_induced_accesses(before, i - first, by_kernel);
    else
      count_first_accesses(before, static_cast<i64>(i - first));
  }
}

[[gnu::noinline]] void Engine::uncount_for_ancestor(Timestamp before, i64 cells) {
  took(SlowPath::ancestor);
  if (Activation* const accessed = ShadowStack::latest_near_below(top_ - 1, before))
    accessed->rms -= cells;
  else
    uncount_for_far_ancestor(before, cells);
}

[[gnu::noinline]] void Engine::uncount_for_far_ancestor(Timestamp before, i64 cells) {
  current_->stack.latest_far_below(top_ - 1, before)->rms -= cells;
}

// Counts reads of cells, all with the same past, that others have written. The values are new to
// the top activation and to all pending ones, so Invariant 2 still holds. The read may also be a
// first access of the top activation.
[[gnu::noinline]] void Engine::count_induced_accesses(Timestamp before, std::size_t count,
                                                      bool by_kernel) {
  took(SlowPath::induced_access);
  Activation& top = *top_;
  const auto cells = static_cast<i64>(count);
  top.induced += count;
  top.induced_by_kernel += by_kernel ? count : 0;
  if (before >= top.ts) {
    top.surplus += cells;
    return;
  }
  top.rms += cells;
  if (before.is_never())
    return;
  if (Activation* const accessed = ShadowStack::latest_near_below(&top, before)) {
    accessed->rms -= cells;
    accessed->surplus += cells;
  } else {
    move_to_surplus_of_far_ancestor(before, cells);
  }
}

[[gnu::noinline]] void Engine::move_to_surplus_of_far_ancestor(Timestamp before, i64 cells) {
  Activation* const accessed = current_->stack.latest_far_below(top_, before);
  accessed->rms -= cells;
  accessed->surplus += cells;
}

[[gnu::noinline]] void Engine::materialise(std::size_t number) {
  if (current_->suspended)
    return;
  took(SlowPath::unknown_chunk);
  obtain_cells(number);
}

void Engine::suspend() {
  CHECK(!current_->suspended);
  stop_clock();
  current_->suspended = true;
  start_clock();
}

void Engine::resume() {
  CHECK(current_->suspended);
  stop_clock();
  current_->suspended = false;
  start_clock();
}

Costs Engine::of_no_activation(const LogicalThread& thread) const {
  const Costs now = clock_of(thread);
  const ShadowStack& stack = thread.stack;
  const Costs outside = now - stack[0].children;
  return stack.depth() == 1 ? outside : outside - (now - stack[1].at_entry);
}

Costs Engine::uncounted() const {
  Costs sum = uncounted_;
  if (current_ == nullptr)
    sum += *options_.clock - started_;
  else if (current_->suspended)
    sum += *options_.clock - started_ - current_->elapsed;
  for (const LogicalThread* thread : threads_)
    sum += of_no_activation(*thread);
  return sum - uncounted_before_;
}

void Engine::drop_pending() {
  known_ = {};
  uncounted_before_ += uncounted();
  for (LogicalThread* thread : threads_) {
    thread->forget_pending();
    for (std::size_t i = 1; i < thread->stack.depth(); i++)
      thread->stack[i].record = nullptr;
  }
}

// Checks the returning activation each time, and everything else as often as costs a constant per
// return: walking the shadow memory of a large program at each return would be too slow.
void Engine::check_return(const Costs& inclusive) {
  const Activation returned = current_->stack.top();
  current_->stack.pop();
  const Activation& caller = *top_;
  CHECK(caller.ts < returned.ts && returned.ts <= now_);
  CHECK(returned.rms >= 0 && returned.surplus >= 0);
  CHECK(static_cast<u64>(returned.surplus) <= returned.induced);
  for (unsigned event = 0; event < kCountedEvents; event++)
    CHECK(caller.at_entry.of[event] <= returned.at_entry.of[event] &&
          returned.children.of[event] <= inclusive.of[event]);
  constexpr u64 kWordsPerReturn = 64;
  if (++unchecked_returns_ * kWordsPerReturn < words_checked_)
    return;
  unchecked_returns_ = 0;
  words_checked_ = check();
}

// Checks that each call of a record's routine is either in one edge into it or pending.
u64 Engine::check_calls() const {
  u64 words = 0;
  AddressMap<u64> pending("aprof.engine.check"); // by record
  for (const LogicalThread* thread : threads_)
    for (std::size_t i = 1; i < thread->stack.depth(); i++)
      if (const auto key = reinterpret_cast<u64>(thread->stack[i].record);
          key != 0 && !thread->stack[i].is_loop()) {
        u64* count = pending.find(key);
        (count == nullptr ? pending.insert(key, 0) : *count)++;
      }
  profile_.add_counted();
  profile_.for_each_part([&](const RoutineRecord& record) {
    const u64* count = pending.find(reinterpret_cast<u64>(&record));
    CHECK(record.totals().calls + (count == nullptr ? 0 : *count) == record.calls);
    words += 16;
  });
  return words;
}

u64 Engine::check() const {
  u64 words = 0;
  for (const LogicalThread* thread : threads_) {
    CHECK(threads_[thread->live_index] == thread);
    const ShadowStack& stack = thread->stack;
    for (std::size_t i = 0; i < stack.depth(); i++) {
      CHECK(stack[i].ts <= now_ && !stack[i].ts.is_kernel_write());
      CHECK(i == 0 || stack[i - 1].ts < stack[i].ts);
    }
    i64 rms = 0; // Invariant 2: sizes of the pending activations, from the top down
    i64 surplus = 0;
    words += 16 * stack.depth();
    for (std::size_t i = stack.depth(); i-- > 1;) {
      rms += stack[i].rms;
      surplus += stack[i].surplus;
      CHECK(rms >= 0 && surplus >= 0);
    }
  }
  words += shadow_.check(now_);
  words += check_calls();
  CHECK(current_ == nullptr ||
        (top_ == &current_->stack.top() && top_ts_ == current_->stack.top().ts));
  return words;
}
