// Pipelines of oneTBB: libtbb calls a filter's operator() for each item.
//
// Each such call is a task that forks where the pipeline began. It comes after the call that made
// its item; if the filter is serial, after the filter's previous call; and the k-th call of the
// first filter comes after the pipeline has done with as many items as leave room for one more.
// With a parallel last filter, these are the first to have ended in the run. The pipeline ends
// after all calls.
#include "base/lazy.hpp"
#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/runtimes/onetbb.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/tasks.hpp"
#include "work_span/runtimes/tickets.hpp"

#include <utility>

namespace onetbb {

using shadow::Hook;
using shadow::HookedCall;
using tasks::Task;

namespace {

// tbb::detail::d1::base_filter.
struct Filter {
  GuestAddr virtual_table;
  GuestAddr next;
  GuestAddr input_buffer;
  u32 mode;
  GuestAddr pipeline;
  bool is_serial() const { return (mode & 1) != 0; }
  bool is_in_order() const { return (mode & 3) == 1; }
};
const Filter& filter_at(GuestAddr address) { return *reinterpret_cast<const Filter*>(address); }

// An item that a filter has made for another one. Small values are no addresses: several items may
// have the same one. Unless it has to wait for its turn, the thread that made it goes on with it.
struct Item {
  GuestAddr filter;
  u64 value;
  u64 number; // in the order of the first filter's calls
  const shadow::Thread* made_by;
  PathPoint made;
};

// A serial filter.
struct Turns {
  GuestAddr filter;
  u64 calls;
  PathPoint latest; // the end of the latest call
};

// A filter's call that has not returned.
struct Call {
  const Task* task;
  u64 number;
};

struct Pipeline {
  Task* creator;
  Caller called_by;
  SpanThread* origin; // the fork; it executes nothing
  GuestAddr address = 0;
  u64 most_items;
  GuestAddr first_filter = 0;
  u64 begun = 0;                        // calls of the first filter
  bool has_no_more = false;             // as that filter has just said
  Vector<Item> items{"cilkshadow.tbb"}; // few: those in the pipeline
  Vector<Turns> turns{"cilkshadow.tbb"};
  Vector<Call> calls{"cilkshadow.tbb"};
  u64 done = 0;        // items
  Tickets completed{}; // items in this order, until a call has come after it
  PathPoint ended{};   // all calls so far that have handed on no item
};

Lazy<Vector<Pipeline*>> active{"cilkshadow.tbb"};

WorkSpan& engine() { return shadow::engine(); }
Paths& paths() { return shadow::paths(); }

// Arguments: (context, most items, filters)
void begin_pipeline(HookedCall& call) {
  shadow::Thread& thread = *shadow::running();
  auto* made =
      create<Pipeline>("cilkshadow.tbb", Pipeline{.creator = &tasks::current(thread),
                                                  .called_by = thread.outside,
                                                  .origin = engine().start_thread(thread.span),
                                                  .most_items = call.arguments[1]});
  active->push_back(made);
  call.kept = made;
}

void end_pipeline(HookedCall& call) {
  auto* ended = static_cast<Pipeline*>(call.kept);
  SpanThread& span = *shadow::running()->span;
  engine().count_sync();
  engine().end_thread(*ended->origin);
  engine().join_work(span, ended->origin);
  tasks::take_over_work(*ended->creator, span);
  for (Item& item : ended->items) // of a pipeline that an exception has ended
    paths().gather(ended->ended, item.made);
  if (ended->ended.node != nullptr)
    engine().observe(span, ended->ended);
  paths().drop(ended->ended);
  for (Turns& of : ended->turns)
    paths().drop(of.latest);
  for (std::size_t i = 0; i < active->size(); i++)
    if ((*active)[i] == ended)
      active->swap_remove(i--);
  destroy(ended);
}

// The thread that begins a pipeline calls a filter first.
Pipeline* pipeline_of(const Filter& filter) {
  for (Pipeline* one : *active)
    if (one->address == filter.pipeline)
      return one;
  for (Pipeline* one : *active)
    if (one->address == 0 && one->creator == shadow::running()->tasks.current) {
      one->address = filter.pipeline;
      return one;
    }
  return nullptr;
}

void observe_once(SpanThread& span, PathPoint point) {
  if (point.node != nullptr)
    engine().observe(span, point);
}

Turns& turns_of(Pipeline& pipeline, GuestAddr filter) {
  for (Turns& of : pipeline.turns)
    if (of.filter == filter)
      return of;
  return pipeline.turns.push_back({filter, 0, {}});
}

// Which item a filter gets that is called with this value; their number if there is none.
std::size_t item_for(Pipeline& pipeline, GuestAddr address, u64 value) {
  const bool is_in_order = filter_at(address).is_in_order();
  const u64 turn = is_in_order ? turns_of(pipeline, address).calls : 0;
  const auto& items = pipeline.items;
  std::size_t found = items.size();
  for (std::size_t i = items.size(); i-- > 0;) {
    if (items[i].filter != address || items[i].value != value)
      continue;
    if (is_in_order ? items[i].number == turn : items[i].made_by == shadow::running())
      return i;
    found = i;
  }
  return found;
}

// Returns the item's number.
u64 take_item(Pipeline& pipeline, SpanThread& span, GuestAddr filter, u64 value) {
  auto& items = pipeline.items;
  std::size_t i = item_for(pipeline, filter, value);
  if (i == items.size())
    return 0;
  const u64 number = items[i].number;
  observe_once(span, items[i].made);
  for (; i + 1 < items.size(); i++)
    items[i] = items[i + 1];
  items.pop_back();
  return number;
}

// The number of the item of a call that returns.
u64 take_call(Pipeline& pipeline, const Task* task) {
  u64 number = 0;
  for (std::size_t i = 0; i < pipeline.calls.size(); i++)
    if (pipeline.calls[i].task == task) {
      number = pipeline.calls[i].number;
      pipeline.calls.swap_remove(i--);
    }
  return number;
}

// The running thread's task, a filter's call, ends.
void filter_returns(shadow::Thread& thread) {
  const GuestAddr address = thread.tasks.current->name;
  const Filter& filter = filter_at(address);
  Pipeline* pipeline = pipeline_of(filter);
  if (pipeline == nullptr)
    return;
  PathPoint here = engine().publish(*thread.span);
  const u64 number = take_call(*pipeline, thread.tasks.current);
  const bool has_no_more = address == pipeline->first_filter && pipeline->has_no_more;
  if (filter.is_serial()) {
    PathPoint& latest = turns_of(*pipeline, address).latest;
    paths().drop(latest);
    latest = paths().copy(here);
  }
  if (thread.tasks.current->left || has_no_more) {
    pipeline->has_no_more = false;
  } else if (filter.next != 0) {
    pipeline->items.push_back({filter.next, guest::result(), number, &thread, here});
    return;
  } else {
    pipeline->completed.put(pipeline->done++, paths().copy(here));
  }
  paths().gather(pipeline->ended, here);
}

void say_no_more(HookedCall& call) {
  if (Pipeline* pipeline = pipeline_of(filter_at(call.arguments[0])))
    pipeline->has_no_more = true;
}

// Calls of other routines, such as a filter's constructor, order nothing.
bool filter_begins_in_call(HookedCall&, shadow::Thread& thread, RoutineId routine) {
  return filter_begins(thread, routine);
}

} // namespace

const Hook pipeline_hooks[] = {
    {"tbb::detail::r1::parallel_pipeline(*", begin_pipeline, end_pipeline, filter_begins_in_call},
    {"tbb::detail::r1::set_end_of_input(*", say_no_more, nullptr},
    {nullptr, nullptr, nullptr},
};

bool filter_begins(shadow::Thread& thread, RoutineId routine) {
  if (active.if_used() == nullptr || active->empty() ||
      !matches((*routines)[routine].name,
               {"tbb::detail::d?::concrete_filter<*>::operator()(void*)"}))
    return false;
  const GuestAddr address = guest::argument(0);
  const Filter& filter = filter_at(address);
  Pipeline* pipeline = pipeline_of(filter);
  if (pipeline == nullptr)
    return false;
  if (pipeline->first_filter == 0)
    pipeline->first_filter = address;
  Task* call = tasks::create_child_of(*pipeline->creator, pipeline->called_by);
  call->name = address;
  call->before_end = filter_returns;
  call->orders_by_its_end = false;
  call->span = engine().start_thread(pipeline->origin);
  engine().count_spawn_without_burden();
  u64 number;
  if (address != pipeline->first_filter)
    number = take_item(*pipeline, *call->span, address, guest::argument(1));
  else if (number = pipeline->begun++; number >= pipeline->most_items)
    observe_once(*call->span, pipeline->completed.take(number - pipeline->most_items));
  pipeline->calls.push_back({call, number});
  if (filter.is_serial()) {
    Turns& turns = turns_of(*pipeline, address);
    turns.calls++;
    engine().observe_copy(*call->span, turns.latest);
  }
  tasks::begin(thread, *call);
  return true;
}

} // namespace onetbb
