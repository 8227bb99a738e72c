#include "client_run.hpp"

#include "trace/call_events.hpp"

#include <algorithm>
#include <string>

using shadow::state;

namespace {

u64 client_clock;
u64 on_way_to_binder;
u64 not_work;

bool may_wait(RoutineId routine) {
  return routine != RoutineId::stub && is_plain(routine_classes->of(routine));
}

std::string text(std::initializer_list<u64> numbers) {
  std::string all;
  for (const u64 number : numbers)
    all += ' ' + std::to_string(number);
  return all;
}
std::string text(const Measures& m) {
  return text({m.top_site.count, m.top_site.work, m.top_site.span}) + "," +
         text({m.top_caller.count, m.top_caller.work, m.top_caller.span}) + "," +
         text({m.local.count, m.local.work, m.local.span});
}
// One line per number, so that a failure shows the differences.
std::vector<std::string> lines(const Numbers& n) {
  const Lengths& lengths = n.totals.lengths;
  const CilkMistakes& m = n.mistakes;
  std::vector<std::string> all{
      "work, span, burdened, serialised:" +
          text({n.totals.work, lengths.span, lengths.burdened, lengths.serialised}),
      "spawns, syncs, overhead, depth:" +
          text({n.totals.spawns, n.totals.syncs, n.overhead, n.depth}),
      "mistakes:" +
          text({m.unmatched, m.without_call, m.several_calls, m.abandoned, m.newer, m.tail_calls})};
  for (const auto& [site, numbers] : n.sites)
    all.push_back("caller, at, callee, spawned:" +
                  std::apply(
                      [&spawned = numbers.spawned](auto... of) {
                        return text({of..., spawned});
                      },
                      site) +
                  "; on work" + text(numbers.on_work) + "; on span" + text(numbers.on_span));
  return all;
}

} // namespace

testing::AssertionResult equal(const std::vector<Numbers>& actual,
                               const std::vector<Numbers>& expected) {
  for (std::size_t i = 0; i < expected.size(); i++) {
    const std::vector<std::string> is = lines(actual[i]);
    const std::vector<std::string> ought = lines(expected[i]);
    if (is == ought)
      continue;
    auto failure = testing::AssertionFailure() << "look " << i << " of " << expected.size();
    for (std::size_t j = 0; j < std::max(is.size(), ought.size()); j++)
      if (j >= is.size() || j >= ought.size() || is[j] != ought[j])
        failure << "\n- " << (j < ought.size() ? ought[j] : "") << "\n+ "
                << (j < is.size() ? is[j] : "");
    return failure;
  }
  return testing::AssertionSuccess();
}

void ClientRun::start_log() {
  static const bool started = (event_log::start(client_clock, may_wait), true);
  EXPECT_TRUE(started);
}

ClientRun::ClientRun(bool in_batches, bool by_instruction) : in_batches_(in_batches) {
  routines = &routine_table_;
  routine_classes = &classes_;
  client_clock = 0;
  new (state) shadow::State({.clock = &client_clock,
                             .on_way_to_binder = &on_way_to_binder,
                             .not_work = &not_work,
                             .by_instruction = by_instruction,
                             .engine = {.burden = 100}});
  memory_ = std::make_unique<shadow::LogMemory>(*state);
  thread_ = std::make_unique<shadow::Thread>(state->engine.start_thread(nullptr), ThreadIndex{1});
  state->running = thread_.get();
  hosted::current_sink = this;
  threads::current = &stack_;
  stack_.calls.begin(RoutineId{hosted::kMain}, hosted::kStackTop);
}

ClientRun::~ClientRun() {
  threads::current = nullptr;
  hosted::current_sink = &hosted::no_sink;
  memory_.reset();
  state->~State();
  routine_classes = nullptr;
  routines = nullptr;
}

event_log::Taken ClientRun::take_batch(CallStack& calls, const event_log::Event* event,
                                       const event_log::Event* end, bool more_come) {
  if (!in_batches_)
    return {event};
  const bool was_full = memory_->known.is_full();
  const event_log::Taken taken = read_log(*state, *memory_, calls, event, end, more_come);
  reading_.in_batches += static_cast<u64>(taken.until - event);
  reading_.waits += taken.rest_waits;
  reading_.forgets += was_full && !memory_->known.is_full();
  return taken;
}

void ClientRun::execute(const Events& events, const Cuts& cuts) {
  for (const ClientEvent& event : events) { // log sites cache the numbers of one run's call sites
    const u32 number = event.kind_and_site >> event_log::Event::kKindBits;
    const event_log::LogSite& site = event_log::log_sites()[number];
    site.caller = RoutineId::none;
    site.calls_child = false;
  }
  event_log::forget_targets();
  for (std::size_t i = 0; i < events.size(); i++) {
    if (i < cuts.size() && cuts[i])
      event_log::flush();
    execute(events[i]);
  }
  reading_.events += events.size();
}

void ClientRun::execute(const ClientEvent& event) {
  using event_log::AtOnce;
  using How = ClientEvent::How;
  client_clock = event.time;
  switch (event.how) {
  case How::logged:
    *event_log::next++ = {event.kind_and_site, event.sp, event.time, event.target};
    if (event_log::next == event_log::log + event_log::kEvents)
      event_log::log_is_full();
    return;
  case How::indirect_call:
    event_log::call_indirect(event.target, event.sp, event.kind_and_site);
    return;
  case How::stub_jump: event_log::stub_jump(event.target, event.sp, event.kind_and_site); return;
  case How::jump: event_log::jump(event.target, event.sp, event.kind_and_site); return;
  case How::call_now:
    AtOnce<event_call>::deliver(routines->called(event.target), event.sp, event.address);
    return;
  case How::return_now:
    AtOnce<event_return>::deliver(event.target, event.sp, event.address);
    return;
  case How::jump_now: AtOnce<event_jump>::deliver(event.target, event.sp, event.address); return;
  case How::look:
    account_all();
    so_far_.push_back(numbers(state->engine.results_so_far()));
    return;
  }
}

void ClientRun::account_all() {
  shadow::account();
  memory_->known.for_each(
      [this](const shadow::KnownInvocation& known) { reading_.repeated += known.uncounted; });
  count_repeats(*state, *memory_);
}

std::vector<Numbers> ClientRun::finish() {
  account_all();
  state->regions.abandon_all(*thread_->span);
  so_far_.push_back(numbers(state->engine.finish_and_take()));
  return std::move(so_far_);
}

Numbers ClientRun::numbers(const WorkSpan::Results& results) const {
  Numbers all{results.totals, {}, state->mistakes, state->overhead, stack_.calls.depth()};
  const auto at = [](const Vector<Measures>& measures, std::size_t i) {
    return i < measures.size() ? measures[i] : Measures{};
  };
  for (u32 i = 0; i < state->sites.size(); i++) {
    const Site& site = state->sites[SiteId{i}];
    all.sites[{index(site.caller.routine), site.caller.address, index(site.callee)}] = {
        site.spawned, at(results.on_work, i), at(results.on_span, i)};
  }
  return all;
}
