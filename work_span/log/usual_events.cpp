// The usual events of the program's own code, told together (trace/event_log.hpp). Since what comes
// next is known,
// - a call that nothing follows but its return needs no frame;
// - the engine is told of time only where something forks or joins, and in the end;
// - an invocation that begins and returns among them is put into words, which the engine is told
//   only if it has no summary of the same words (summaries.hpp).
#include "work_span/log/usual_events.hpp"

#include "base/lazy.hpp"
#include "trace/call_events.hpp"
#include "trace/call_stack.hpp"
#include "work_span/engine/work_span_fast.hpp"
#include "work_span/log/known_invocations.hpp"
#include "work_span/state/state.hpp"

namespace shadow {

namespace {
Lazy<KnownInvocations> known_invocations{"cilkshadow.summaries"};
}

// Tells an engine what the program's own code does in a thread, at times of a clock.
class Teller {
public:
  Teller(State& state, WorkSpan& engine, CilkRegions& regions, SpanThread& span, u64& told)
      : s_(state), engine_(engine), regions_(regions), span_(span), told_(told), now_(told) {}

  u64 now() const { return now_; }
  // The thread has come there. That is told with what makes a difference, and by catch_up.
  void go_on_to(u64 time) { now_ = time; }
  void catch_up() { engine_.work_of_top(span_, now_ - std::exchange(told_, now_)); }

  // Before a call from the top frame.
  [[gnu::always_inline]] void before_call(SiteId site) {
    if (CilkRegions::in_spawn(span_)) [[unlikely]] {
      catch_up();
      if (regions_.before_call(span_, s_.sites[site].origin))
        count_spawned(site);
    }
  }
  [[gnu::always_inline]] void before_spawn_call(SiteId site, const event_log::LogSite& point) {
    catch_up();
    regions_.spawn_before_call(span_, static_cast<u32>(point.marker), point.location);
    count_spawned(site);
  }
  [[gnu::always_inline]] void call(SiteId site, RoutineId routine) {
    engine_.call(span_, site, routine, now_ - told_);
  }
  // Calls that return after so much work in all, the last one then.
  [[gnu::always_inline]] void call_leaves(SiteId site, u64 calls, Work work, u64 until) {
    engine_.call_leaves(span_, site, calls, work);
    now_ = until;
    after_return();
  }
  void call_summary(const Summary& summary) {
    engine_.call_summary(span_, summary);
    count(summary);
    now_ += summary.work;
    after_return();
  }
  [[gnu::always_inline]] void iteration_summary(const Summary& summary) {
    if (told_ != now_)
      catch_up();
    regions_.iteration_summary(span_, summary);
    count(summary);
    told_ = now_ += summary.work;
  }
  [[gnu::always_inline]] void return_() {
    const SpanFrame& frame = span_.frames.back();
    if (frame.region != 0 || WorkSpan::is_open(frame)) {
      catch_up();
      if (frame.region != 0)
        regions_.before_return(span_);
    }
    engine_.return_from_top(span_, now_ - told_);
  }
  [[gnu::always_inline]] void after_return() {
    if (CilkRegions::in_spawn(span_)) {
      catch_up();
      regions_.after_return(span_);
    }
  }
  [[gnu::always_inline]] void marker(const event_log::LogSite& point) {
    catch_up();
    const auto kind = static_cast<u32>(point.marker);
    if (kind == static_cast<u32>(Marker::sync))
      regions_.sync(span_);
    else
      regions_.marker(span_, kind, point.location);
  }

  // What is counted by call site goes there; null: to the shadow's sites.
  Summary* counts = nullptr;

private:
  void count_spawned(SiteId site) {
    (counts != nullptr ? counts->of(site).spawned : s_.sites[site].spawned)++;
  }

  void count(const Summary& summary) {
    if (counts == nullptr) {
      if (summary.uncounted++ == 0)
        known_invocations->uncounted.push_back(&summary);
      return;
    }
    engine_.count(summary, 1);
    for (const Summary::OfSite& of : summary.sites)
      counts->of(of.site).spawned += of.spawned;
  }

  State& s_;
  WorkSpan& engine_;
  CilkRegions& regions_;
  SpanThread& span_;
  u64& told_; // until when
  u64 now_;
};

// Where invocations that are to be summarised are told by themselves.
struct Rehearsal {
  explicit Rehearsal(State& state)
      : engine(state.settings.engine), regions(engine, mistakes), span(*engine.start_rehearsal()),
        teller(state, engine, regions, span, told) {}

  WorkSpan engine;
  CilkMistakes mistakes;
  CilkRegions regions;
  SpanThread& span;
  u64 told = 0;
  Teller teller;
};

namespace {

using event_log::Event;
using event_log::Kind;
using Point = event_log::LogSite;

// What a routine does, in words: an event and how long after the one before in it. Its event says
// what it says in the log, and who: its point, or the site of a call that its point does not tell.
// Behind a call comes its summary; behind a leaf's its work; behind several, one after the other,
// theirs, how many, and how long the routine itself ran between them.
struct Word {
  static constexpr u32 kLeaf = 8, kTopSite = 16; // no other call of the site is pending
  enum Event : u32 {
    call = static_cast<u32>(Kind::call),
    spawn_call = static_cast<u32>(Kind::spawn_call),
    marker = static_cast<u32>(Kind::marker),
    call_at = static_cast<u32>(Kind::call_indirect),
    leaf = kLeaf | call,
    spawn_leaf = kLeaf | spawn_call,
    leaf_at = kLeaf | call_at,
    leaves_at = kLeaf | static_cast<u32>(Kind::stub_jump),
  };

  static u32 at(Event event, SiteId site) {
    return event | index(site) << event_log::Event::kKindBits;
  }
  static u64 make(u32 event, u64 after) { return event | after << 32; }
  static Event event(u64 word) { return static_cast<Event>(word % kTopSite); }
  static u32 who(u64 word) { return static_cast<u32>(word) >> event_log::Event::kKindBits; }
  static u64 after(u64 word) { return word >> 32; }
};

// An invocation that the engine has not been told of yet; beneath those, the running one of those
// that it has.
struct Untold {
  // Others were pending before of its site, of its routine, and of its caller's.
  static constexpr u64 kSitePending = 4, kRoutinePending = 2, kCallerPending = 1;
  static constexpr unsigned kFlagBits = 3;
  // It is an iteration of a parallel loop, whose marker's point is there in place of a site.
  static constexpr u64 kIteration = u64{1} << 63;

  u64 site_and_flags; // its first word
  const Event* event; // with which it began
  RoutineId routine;
  u32 called; // how, as a word tells it
  GuestAddr slot;
  GuestAddr return_address;
  u64 began;
  u64 latest; // when the latest of its events ended
  u64* words;
  u64 hash;     // of these
  u64 in_spawn; // of a place; of any, in C++: kAnyPlace; 0: it is not

  static constexpr u64 kAnyPlace = ~u64{0};
  static constexpr GuestAddr kNoAddress = ~GuestAddr{0}; // it does not return
  bool is_iteration() const { return (site_and_flags & kIteration) != 0; }
  SiteId site() const { return SiteId{static_cast<u32>(site_and_flags >> kFlagBits)}; }
  void begin_pending(SpanThread& thread) const {
    if (!is_iteration())
      WorkSpan::begin_pending(thread, site(), routine);
  }
  void end_pending(SpanThread& thread) const {
    if (!is_iteration())
      WorkSpan::end_pending(
          thread, site(), routine,
          {(site_and_flags & kSitePending) == 0, (site_and_flags & kRoutinePending) == 0});
  }
};

class Reader {
public:
  Reader(State& state, CallStack& calls, const Event* event, const Event* end, bool more_come)
      : s_(state), calls_(calls), thread_(*state.running), span_(*thread_.span),
        teller_(state, state.engine, state.regions, span_, state.accounted), event_(event),
        end_(end), more_come_(more_come) {
    see_told();
  }

  event_log::Taken read();

private:
  // False: it is not usual, and nothing has happened.
  bool call();
  bool spawn_call();
  bool indirect_call();
  bool stub_call();
  bool marker();
  void plain_marker(const Point& point);
  bool loop_marker(const Point& point);
  void end_iteration();
  bool jump_within();
  bool tail_call(RoutineId routine);
  // False: that, or the program's own code has been left.
  template <Kind kKind> bool return_();
  // `called`: how, as a word tells it.
  bool call_of(SiteId site, RoutineId routine, GuestAddr return_address, u32 called);
  bool begin(SiteId site, RoutineId routine, GuestAddr return_address, u32 called);
  u64 first_word(SiteId site, RoutineId routine) const;
  const Summary* known_from_here(u64 first_word);
  void call_summary(SiteId site, u32 called, u64 began, u64 ended, const Summary& summary);
  void push(SiteId site, RoutineId routine, GuestAddr return_address, u32 called);
  void begin_untold(u64 word, RoutineId routine, u32 called, GuestAddr slot,
                    GuestAddr return_address);
  void call_leaves(SiteId site, GuestAddr return_address, u32 called);
  void call_leaves_again(SiteId site, GuestAddr return_address, u32 called);
  void return_untold();
  const Summary* summary_of_top();
  bool return_of_tail_calls();
  bool return_told(bool syncs);
  bool put_sync();
  void end_told();

  const Point& point() const { return points_[event_->log_site()]; }
  [[gnu::noinline]] bool find(const Point& point) {
    const SiteTable::Known* known = s_.sites.known(point.address - 1, point.routine);
    if (known == nullptr)
      return false;
    point.call_site = 1 + index(known->site);
    point.calls_child = point.location != 0 && known->location == point.location &&
                        known->origin().may_be_spawned();
    return true;
  }

  u64 time_of_sync() const {
    return event_->time - (s_.settings.by_instruction ? point().marker >> 32 : 0);
  }

  bool has_untold() const { return top_ != untold_memory_; }
  // What the engine has been told has changed.
  void see_told() {
    known_.pending_changes++;
    Untold& told = untold_memory_[0];
    told.site_and_flags = span_.frames.back().outermost ? 0 : Untold::kRoutinePending;
    told.slot = calls_.empty() ? 0 : calls_.top().slot;
    told.routine = calls_.empty() ? RoutineId::none : calls_.top().routine;
  }
  // Whether a call returns at once, and as calls do.
  static bool is_leaf(const Event* call, GuestAddr return_address) {
    return call[1].kind() == Kind::return_ && call[1].target == return_address &&
           call[1].sp == call->sp + sizeof(GuestAddr);
  }
  void begin_told(SiteId site, u32 called, u64 time) {
    teller_.go_on_to(time);
    if (Word::event(called) == Word::spawn_call)
      teller_.before_spawn_call(site, points_[Word::who(called)]);
    else
      teller_.before_call(site);
  }
  void enter_told(SiteId site, RoutineId routine, GuestAddr slot, GuestAddr return_address) {
    calls_.enter(routine, slot, return_address);
    thread_.frames.push_back({});
    teller_.call(site, routine);
  }

  void put(u64 word) {
    *words_++ = word;
    top_->hash = Summaries::hash(top_->hash, word);
  }
  // An event of the top frame, which is untold. False: it is not any more, as it does not fit.
  bool put(u32 event, u64 time) {
    const u64 after = time - std::exchange(top_->latest, time);
    if (after >> 32 != 0) [[unlikely]] {
      tell_untold();
      return false;
    }
    put(Word::make(event, after));
    return true;
  }
  // The same of leaves' calls.
  bool put_leaf(u32 event, SiteId site, u64 time) {
    if (!WorkSpan::has_room(span_, site)) [[unlikely]] {
      tell_untold();
      return false;
    }
    return put(event | (span_.pending.sites[index(site)] ? 0 : Word::kTopSite), time);
  }
  SiteId site_of(Word::Event event, u32 who) const {
    const bool of_point = event < Word::call_at || event == Word::leaf || event == Word::spawn_leaf;
    return of_point ? SiteId{points_[who].call_site - 1} : SiteId{who};
  }
  void tell_untold();
  void tell(Teller& teller, const u64* word, const u64* end);
  const Summary* summarise(const Untold& frame, u64 hash);

  // No event has more than two, but an invocation one more until it is found or told.
  static constexpr std::size_t kWords = 3 * event_log::kEvents;
  static constexpr u32 kFoundOften = 4;
  static constexpr u64 kMostPerWord = 2; // events; a loop of leaves is read faster
  static u64 words_memory_[kWords];
  static Untold untold_memory_[1 + event_log::kEvents];

  State& s_;
  KnownInvocations& known_ = *known_invocations;
  CallStack& calls_;
  Thread& thread_;
  SpanThread& span_;
  Teller teller_;
  const Point* const points_ = event_log::log_sites();
  const Event* event_;
  const Event* const end_;
  const bool more_come_;
  bool waits_ = false; // for more events than there are
  u64* words_ = words_memory_;
  Untold* top_ = untold_memory_;
};

u64 Reader::words_memory_[kWords];
Untold Reader::untold_memory_[1 + event_log::kEvents];

[[gnu::always_inline]] inline bool Reader::call() {
  const Point& point = this->point();
  if (point.call_site == 0 && !find(point)) [[unlikely]]
    return false;
  return call_of(SiteId{point.call_site - 1}, point.routine, point.address,
                 event_->kind_and_site());
}

bool Reader::indirect_call() {
  const GuestAddr return_address = point().address;
  const SiteTable::Known* known = s_.sites.known(return_address - 1, event_->routine());
  return known != nullptr && call_of(known->site, event_->routine(), return_address,
                                     Word::at(Word::call_at, known->site));
}

// With the stub's jump, the next event unless the symbol must be bound.
bool Reader::stub_call() {
  const Event* const jump = event_ + 1;
  if (jump == end_ || jump->kind() != Kind::stub_jump || jump->sp != event_->sp)
    return false;
  const GuestAddr return_address = point().address;
  event_ = jump;
  if (const SiteTable::Known* known = s_.sites.known(return_address - 1, jump->routine());
      known != nullptr &&
      call_of(known->site, jump->routine(), return_address, Word::at(Word::call_at, known->site))) {
    calls_.leave_stub();
    return true;
  }
  event_--;
  return false;
}

[[gnu::always_inline]] inline bool Reader::call_of(SiteId site, RoutineId routine,
                                                   GuestAddr return_address, u32 called) {
  return top_->slot > event_->sp && begin(site, routine, return_address, called);
}

[[gnu::always_inline]] inline bool Reader::spawn_call() {
  const Point& point = this->point();
  if (point.call_site == 0 && !find(point)) [[unlikely]]
    return false;
  if (!point.calls_child || top_->slot <= event_->sp)
    return false;
  const SiteId site{point.call_site - 1};
  top_->in_spawn =
      Marker{static_cast<u32>(point.marker)} == Marker::spawn ? point.location : Untold::kAnyPlace;
  return begin(site, point.routine, point.address, event_->kind_and_site());
}

[[gnu::always_inline]] inline bool Reader::begin(SiteId site, RoutineId routine,
                                                 GuestAddr return_address, u32 called) {
  if (event_ + 1 != end_ && is_leaf(event_, return_address) && event_[1].sp <= top_->slot) {
    call_leaves(site, return_address, called);
    return true;
  }
  if (!WorkSpan::has_room(span_, site, routine) || !known_.patience.with(index(site)))
      [[unlikely]] {
    if (has_untold())
      tell_untold();
    begin_told(site, called, event_->time);
    enter_told(site, routine, event_->sp, return_address);
    see_told();
    event_++;
    return true;
  }
  const Event& call = *event_;
  if (const Summary* summary = known_from_here(first_word(site, routine)); summary != nullptr) {
    known_.patience.count(index(site), true);
    call_summary(site, called, call.time, event_[-1].time, *summary);
    return true;
  }
  if (waits_) [[unlikely]]
    return false;
  push(site, routine, return_address, called);
  return true;
}

[[gnu::always_inline]] inline u64 Reader::first_word(SiteId site, RoutineId routine) const {
  const PendingTable& pending = span_.pending;
  return u64{index(site)} << Untold::kFlagBits |
         (pending.sites[index(site)] ? Untold::kSitePending : 0) |
         (pending.routines[index(routine)] ? Untold::kRoutinePending : 0) |
         ((top_->site_and_flags & Untold::kRoutinePending) != 0 ? Untold::kCallerPending : 0);
}

// If the invocation that begins with this event, all of it, is known by its events.
[[gnu::always_inline]] inline const Summary* Reader::known_from_here(u64 first_word) {
  const Event* after = event_;
  const Summary* summary = known_.events.find(first_word, after, end_);
  if (summary == nullptr) {
    waits_ = after == end_ && more_come_;
    return nullptr;
  }
  if (after[-1].sp > top_->slot || calls_.stub_slot() != 0)
    return nullptr;
  if (summary->fits_when != known_.pending_changes) {
    for (const Summary::Pending& of : summary->pending)
      if (!WorkSpan::has_room(span_, of.site, of.routine) ||
          span_.pending.sites[index(of.site)] != of.site_pending ||
          span_.pending.routines[index(of.routine)] != of.routine_pending)
        return nullptr;
    summary->fits_when = known_.pending_changes;
  }
  event_ = after;
  return summary;
}

[[gnu::always_inline]] inline void Reader::push(SiteId site, RoutineId routine,
                                                GuestAddr return_address, u32 called) {
  const u64 word = first_word(site, routine);
  WorkSpan::begin_pending(span_, site, routine);
  known_.pending_changes++;
  begin_untold(word, routine, called, event_->sp, return_address);
}

// With this event.
[[gnu::always_inline]] inline void Reader::begin_untold(u64 word, RoutineId routine, u32 called,
                                                        GuestAddr slot, GuestAddr return_address) {
  const Event& event = *event_++;
  Untold& frame = *++top_;
  frame.site_and_flags = word;
  frame.event = &event;
  frame.routine = routine;
  frame.called = called;
  frame.slot = slot;
  frame.return_address = return_address;
  frame.began = event.time;
  frame.latest = event.time;
  frame.words = words_;
  frame.hash = word;
  frame.in_spawn = 0;
  *words_++ = word;
}

// That, and those that follow of the same, as in a loop.
[[gnu::always_inline]] inline void Reader::call_leaves(SiteId site, GuestAddr return_address,
                                                       u32 called) {
  const Event* const first = event_;
  event_ += 2;
  if (end_ - event_ >= 2 && event_->what == first->what && is_leaf(event_, return_address) &&
      Word::event(called) != Word::spawn_call)
    return call_leaves_again(site, return_address, called);
  const u64 time = first->time;
  const Work work = first[1].time - time;
  if (has_untold()) [[likely]] {
    if (put_leaf(called | Word::kLeaf, site, time)) [[likely]] {
      put(work);
      top_->latest = first[1].time;
      return;
    }
  }
  begin_told(site, called, time);
  teller_.call_leaves(site, 1, work, first[1].time);
}

// The first has been read.
[[gnu::noinline]] void Reader::call_leaves_again(SiteId site, GuestAddr return_address,
                                                 u32 called) {
  const Event* const first = event_ - 2;
  Work work = first[1].time - first->time;
  u64 calls = 1;
  // Called from another line it shows that what was spawned has been called.
  const bool in_spawn =
      has_untold() ? top_->in_spawn == Untold::kAnyPlace ||
                         (top_->in_spawn != 0 && top_->in_spawn == s_.sites[site].origin.location)
                   : CilkRegions::in_spawn(span_);
  if (!in_spawn)
    for (; end_ - event_ >= 2 && event_->what == first->what && event_->sp == first->sp &&
           event_->kind() != Kind::stub_jump && is_leaf(event_, return_address);
         event_ += 2) {
      work += event_[1].time - event_->time;
      calls++;
    }
  const u64 until = event_[-1].time;
  if (has_untold()) {
    if (put_leaf(Word::at(Word::leaves_at, site), site, first->time)) {
      put(work);
      put(calls);
      put(until - first->time - work);
      top_->latest = until;
      return;
    }
  }
  begin_told(site, called, first->time);
  teller_.call_leaves(site, calls, work, until);
}

template <Kind kKind> [[gnu::always_inline]] inline bool Reader::return_() {
  constexpr bool kSyncs = kKind == Kind::sync_return;
  if (!has_untold()) [[unlikely]]
    return return_told(kSyncs);
  if (top_->return_address != event_->target || top_->slot >= event_->sp ||
      event_->sp > top_[-1].slot) [[unlikely]]
    return return_of_tail_calls();
  if (kSyncs && !put_sync()) [[unlikely]]
    return return_told(false);
  return_untold();
  event_++;
  return true;
}

// Each frame of the slot returns.
[[gnu::noinline]] bool Reader::return_of_tail_calls() {
  const Untold* first = top_;
  while (first != untold_memory_ && first->return_address == 0)
    first--;
  const bool is_untold = first != untold_memory_;
  if (is_untold
          ? first->return_address != event_->target || first->slot >= event_->sp ||
                event_->sp > first[-1].slot
          : !calls_.is_usual_return(event_->target, event_->sp) || thread_.frames.back().task) {
    tell_untold();
    return false;
  }
  const bool syncs = event_->kind() == Kind::sync_return;
  if (!has_untold())
    return return_told(syncs);
  if (syncs)
    put_sync();
  while (has_untold() && top_->return_address == 0)
    return_untold();
  if (!has_untold())
    return return_told(false);
  return_untold();
  event_++;
  return true;
}

// `syncs`: before it.
[[gnu::noinline]] bool Reader::return_told(bool syncs) {
  if (thread_.frames.back().task || !calls_.is_usual_return(event_->target, event_->sp))
    return false;
  if (syncs) {
    teller_.go_on_to(time_of_sync());
    teller_.marker(point());
  }
  end_told();
  event_++;
  return s_.in_program;
}

// Before the return. False: the top frame is not untold any more.
[[gnu::always_inline]] inline bool Reader::put_sync() {
  if (put(Word::marker | event_->log_site() << Event::kKindBits, time_of_sync())) [[likely]]
    return true;
  teller_.go_on_to(time_of_sync());
  teller_.marker(point());
  return false;
}

void Reader::end_told() {
  const Frame* kind = thread_.frames.end();
  teller_.go_on_to(event_->time);
  if (thread_.frames.size() < 2 || !kind[-2].is_on_engine() || span_.frames.size() < 2)
      [[unlikely]] {
    teller_.catch_up();
    s_.in_program = false;
  }
  calls_.leave();
  teller_.return_();
  thread_.frames.pop_back();
  if (!thread_.is_hidden())
    teller_.after_return();
  if (s_.in_program)
    see_told();
}

[[gnu::always_inline]] inline void Reader::return_untold() {
  const Untold& frame = *top_;
  known_.pending_changes++;
  const Summary* summary = summary_of_top();
  if (summary == nullptr) [[unlikely]] {
    tell_untold();
    end_told();
    return;
  }
  frame.end_pending(span_);
  words_ = frame.words;
  top_--;
  call_summary(frame.site(), frame.called, frame.began, event_->time, *summary);
}

// The top frame ends with this event. Null: there is none.
[[gnu::always_inline]] inline const Summary* Reader::summary_of_top() {
  const Untold& frame = *top_;
  put(event_->time - frame.latest);
  const auto words = static_cast<std::size_t>(words_ - frame.words);
  const u64 hash = Summaries::mixed(frame.hash);
  const Summary* summary = known_.summaries.find(frame.words, words, hash);
  known_.patience.count(index(frame.site()), summary != nullptr);
  if (summary == nullptr) [[unlikely]] {
    if (known_.summaries.is_second(hash) && !known_.summaries.is_full())
      summary = summarise(frame, hash);
    if (summary == nullptr) {
      words_--;
      return nullptr;
    }
  }
  const auto events = static_cast<u64>(event_ - frame.event);
  // Without a return address the event is the caller's end, too.
  if (++summary->found >= kFoundOften + events / 4 && frame.return_address != 0 &&
      events < kMostPerWord * summary->words) [[unlikely]]
    known_.events.add(frame.event, event_ + 1, *summary);
  return summary;
}

// By the top frame.
[[gnu::always_inline]] inline void Reader::call_summary(SiteId site, u32 called, u64 began,
                                                        u64 ended, const Summary& summary) {
  if (has_untold()) {
    if (put(called, began)) [[likely]] {
      put(reinterpret_cast<u64>(&summary));
      top_->latest = ended;
      return;
    }
  }
  begin_told(site, called, began);
  teller_.call_summary(summary);
}

[[gnu::always_inline]] inline bool Reader::marker() {
  const Point& point = this->point();
  if (is_of_loop(static_cast<u32>(point.marker)))
    return loop_marker(point);
  plain_marker(point);
  return true;
}

[[gnu::always_inline]] inline void Reader::plain_marker(const Point& point) {
  const u64 time = event_++->time;
  if (has_untold()) [[likely]] {
    top_->in_spawn = begins_spawn(static_cast<u32>(point.marker)) ? Untold::kAnyPlace : 0;
    if (put(event_[-1].kind_and_site(), time)) [[likely]]
      return;
  }
  teller_.go_on_to(time);
  teller_.marker(point);
}

// The iterations of loops in the running frame are untold, too, each by itself.
[[gnu::noinline]] bool Reader::loop_marker(const Point& point) {
  const Marker marker{static_cast<u32>(point.marker)};
  if (has_untold() && top_->is_iteration()) {
    if (marker == Marker::for_begin)
      tell_untold();
    else
      end_iteration();
  }
  if (has_untold() || marker != Marker::for_iteration || !CilkRegions::in_loop(span_) ||
      !known_.patience.with(event_->log_site())) {
    plain_marker(point);
    return true;
  }
  const u64 word = Untold::kIteration | u64{event_->log_site()} << Untold::kFlagBits |
                   (top_->site_and_flags & Untold::kRoutinePending);
  for (;;) {
    const Event& begin = *event_;
    const Summary* summary = known_from_here(word);
    if (summary == nullptr)
      break;
    event_--; // which begins the next, or ends the loop
    known_.patience.count(begin.log_site(), true);
    teller_.go_on_to(begin.time);
    teller_.iteration_summary(*summary);
    if (event_->what != begin.what)
      return true;
  }
  if (waits_)
    return false;
  begin_untold(word, top_->routine, event_->kind_and_site(), top_->slot, Untold::kNoAddress);
  return true;
}

// Which is the top frame.
void Reader::end_iteration() {
  const Summary* summary = summary_of_top();
  if (summary == nullptr)
    return tell_untold();
  words_ = top_->words;
  teller_.go_on_to(top_--->began);
  teller_.iteration_summary(*summary);
}

// Of a routine that no frame of the slot is of, by a jump with the stack as its own call left it.
bool Reader::tail_call(RoutineId routine) {
  if (event_->sp != top_->slot || event_->sp == calls_.stub_slot())
    return false;
  const Untold* frame = top_;
  for (; frame->routine != routine && frame != untold_memory_ && frame->return_address == 0;
       frame--)
    ;
  if (frame->routine == routine ||
      (frame == untold_memory_ &&
       (calls_.depth() < 2 || calls_[calls_.depth() - 2].slot == event_->sp)))
    return false;
  const SiteTable::Known* known = s_.sites.known(point().address, routine);
  if (known == nullptr || !WorkSpan::has_room(span_, known->site, routine))
    return false;
  push(known->site, routine, 0, Word::at(Word::call_at, known->site));
  return true;
}

bool Reader::jump_within() {
  if (top_->slot < event_->sp || routines->is_nameless_elsewhere(event_->target, top_->routine))
    return false;
  event_++;
  return true;
}

[[gnu::noinline]] void Reader::tell(Teller& teller, const u64* word, const u64* end) {
  while (word != end) {
    const u32 who = Word::who(*word);
    const Word::Event event = Word::event(*word);
    teller.go_on_to(teller.now() + Word::after(*word++));
    if (event == Word::marker) {
      teller.marker(points_[who]);
      continue;
    }
    const SiteId site = site_of(event, who);
    if ((event & ~Word::kLeaf) == Word::spawn_call)
      teller.before_spawn_call(site, points_[who]);
    else
      teller.before_call(site);
    if (event == Word::leaves_at) {
      teller.call_leaves(site, word[1], word[0], teller.now() + word[0] + word[2]);
      word += 3;
    } else if ((event & Word::kLeaf) != 0) {
      teller.call_leaves(site, 1, *word, teller.now() + *word);
      word++;
    } else {
      teller.call_summary(*reinterpret_cast<const Summary*>(*word++));
    }
  }
}

// So that all that has begun is in the engine's frames.
[[gnu::noinline]] void Reader::tell_untold() {
  Untold* const first = untold_memory_ + 1;
  for (const Untold* frame = top_; frame >= first; frame--)
    frame->end_pending(span_);
  for (const Untold* frame = first; frame <= top_; frame++) {
    if (frame->is_iteration()) {
      teller_.go_on_to(frame->began);
      teller_.marker(points_[Word::who(frame->called)]);
    } else {
      begin_told(frame->site(), frame->called, frame->began);
      enter_told(frame->site(), frame->routine, frame->slot, frame->return_address);
    }
    tell(teller_, frame->words + 1, frame == top_ ? words_ : frame[1].words);
  }
  top_ = untold_memory_;
  words_ = words_memory_;
  see_told();
}

// Null: it is too much, or there are mistakes to count.
[[gnu::noinline]] const Summary* Reader::summarise(const Untold& frame, u64 hash) {
  if (known_.rehearsal == nullptr)
    known_.rehearsal = create<Rehearsal>("cilkshadow.summaries", s_);
  Rehearsal& rehearsal = *known_.rehearsal;
  Summary& summary = known_.summaries.empty();
  const u64* const key = frame.words;
  for (const u64* word = key; word != words_; word++)
    summary.key.push_back(*word);
  summary.words = static_cast<u64>(words_ - key);
  if (!frame.is_iteration())
    summary.of(frame.site());
  for (const u64* word = key + 1; word != words_ - 1;) {
    const Word::Event event = Word::event(*word);
    const u32 who = Word::who(*word++);
    if (event == Word::marker)
      continue;
    if ((event & Word::kLeaf) != 0)
      summary.of(site_of(event, who));
    else {
      const Summary& callee = *reinterpret_cast<const Summary*>(*word);
      summary.words += callee.words;
      for (const Summary::OfSite& of : callee.sites)
        summary.of(of.site);
    }
    word += event == Word::leaves_at ? 3 : 1;
  }
  for (const Summary::OfSite& of : summary.sites)
    rehearsal.engine.discovered(of.site);
  frame.end_pending(span_);
  for (const Summary::OfSite& of : summary.sites) {
    const RoutineId routine = s_.sites[of.site].callee;
    const bool has_room = WorkSpan::has_room(span_, of.site, routine);
    summary.pending.push_back({of.site, routine, has_room && span_.pending.sites[index(of.site)],
                               has_room && span_.pending.routines[index(routine)]});
  }
  std::swap(span_.pending, rehearsal.span.pending);
  const u64 pending = frame.is_iteration() ? Untold::kRoutinePending : Untold::kCallerPending;
  rehearsal.span.frames.back().outermost = (frame.site_and_flags & pending) == 0;
  Teller& teller = rehearsal.teller;
  teller.counts = &summary;
  if (frame.is_iteration()) {
    rehearsal.regions.marker(rehearsal.span, static_cast<u32>(Marker::for_begin), 0);
    rehearsal.regions.marker(rehearsal.span, static_cast<u32>(Marker::for_iteration), 0);
  } else {
    teller.call(frame.site(), frame.routine);
  }
  tell(teller, key + 1, words_ - 1);
  teller.go_on_to(teller.now() + words_[-1]);
  if (!frame.is_iteration())
    teller.return_();
  teller.catch_up();
  if (frame.is_iteration())
    rehearsal.regions.marker(rehearsal.span, static_cast<u32>(Marker::for_end), 0);
  std::swap(span_.pending, rehearsal.span.pending);
  frame.begin_pending(span_);
  const bool has_room = frame.is_iteration()
                            ? rehearsal.engine.take_iteration(rehearsal.span, summary)
                            : rehearsal.engine.take_summary(rehearsal.span, summary);
  const bool has_mistakes = std::exchange(rehearsal.mistakes, {}) != CilkMistakes{};
  return has_room && !has_mistakes ? known_.summaries.keep(hash) : nullptr;
}

event_log::Taken Reader::read() {
  bool is_usual = true;
  while (is_usual && event_ != end_) {
    switch (event_->kind()) {
    case Kind::call: is_usual = call(); break;
    case Kind::spawn_call: is_usual = spawn_call(); break;
    case Kind::return_: is_usual = return_<Kind::return_>(); break;
    case Kind::sync_return: is_usual = return_<Kind::sync_return>(); break;
    case Kind::marker: is_usual = marker(); break;
    case Kind::call_indirect: is_usual = indirect_call(); break;
    case Kind::call_stub: is_usual = stub_call(); break;
    case Kind::jump_within: is_usual = jump_within(); break;
    case Kind::stub_jump: is_usual = tail_call(event_->routine()); break;
    case Kind::jump_to_entry: is_usual = tail_call(point().routine); break;
    }
  }
  if (has_untold())
    tell_untold();
  if (s_.in_program)
    teller_.catch_up();
  return {event_, waits_};
}

} // namespace

void count_summaries() {
  if (known_invocations.if_used() == nullptr)
    return;
  State& s = *state;
  for (const Summary* summary : known_invocations->uncounted) {
    const u64 times = std::exchange(summary->uncounted, 0);
    s.engine.count(*summary, times);
    for (const Summary::OfSite& of : summary->sites)
      s.sites[of.site].spawned += times * of.spawned;
  }
  known_invocations->uncounted.clear();
}

event_log::Taken take_batch(CallStack& calls, const Event* event, const Event* end,
                            bool more_come) {
  if (!state->in_program || *state->settings.not_work != state->accounted_not_work)
    return {event};
  KnownInvocations& known = *known_invocations;
  if (known.summaries.is_full()) {
    count_summaries();
    known.events.forget();
    known.summaries.forget();
  }
  return Reader(*state, calls, event, end, more_come).read();
}

} // namespace shadow
