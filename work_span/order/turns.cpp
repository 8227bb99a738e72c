#include "work_span/order/turns.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "trace/stacks.hpp"
#include "work_span/state/state.hpp"

namespace turns {

const Vector<GuestAddr>& (*waits_ahead)(const Vector<GuestAddr>& returns);

namespace {

constexpr std::size_t kMostCallers = 8; // further ones are ignored

// A call that may wait, and a condition.
struct Turn {
  GuestAddr call;
  GuestAddr condition;
  u64 found = 0;
  bool waited = false; // some thread has waited there, by that call at that condition
};

// Waits of threads.
struct Wait {
  GuestAddr condition = 0;
  Span path = 0; // the longest path to it
};

struct State {
  Vector<Turn> turns{"cilkshadow.turns"};
  AddressMap<u32> by_call_and_condition{"cilkshadow.turns"}; // index of a Turn
  AddressMap<Wait> waiting_calls{"cilkshadow.turns"}; // the longest wait of each, at any condition
};
Lazy<State> state{"cilkshadow.turns"};

u64 key(GuestAddr call, GuestAddr condition) { return call * 0x9E3779B97F4A7C15u ^ condition; }

u32 turn_at(GuestAddr call, GuestAddr condition) {
  if (const u32* known = state->by_call_and_condition.find(key(call, condition)))
    return *known;
  const auto made = static_cast<u32>(state->turns.size());
  state->turns.push_back({call, condition});
  return state->by_call_and_condition.insert(key(call, condition), made);
}

// As far as is known: the call waits for that condition, or has never waited.
bool is_possible(const Turn& turn) {
  return turn.waited || state->waiting_calls.find(turn.call) == nullptr;
}

// Return addresses of the running thread's latest calls, innermost first. Equal ones in a row occur
// once, as in recursion and for a call that is still running; tail calls have none.
Vector<GuestAddr> return_addresses(GuestAddr innermost) {
  Vector<GuestAddr> all("cilkshadow.turns");
  const auto add = [&](GuestAddr address) {
    const bool is_known = !all.empty() && all.back() == address;
    if (address != 0 && !is_known && all.size() < kMostCallers)
      all.push_back(address);
  };
  add(innermost);
  const CallStack& calls = threads::current->calls;
  for (std::size_t i = calls.depth(); i-- > 0;)
    add(calls[i].return_address);
  return all;
}

Vector<shadow::FoundTurn>& found_by_running() { return shadow::running()->lock.turns; }

// Removes those of the running thread's turns for which `is_over` holds; counts them if `counts`.
template <typename IsOver> void end_turns(IsOver is_over, bool counts) {
  Vector<shadow::FoundTurn>& found = found_by_running();
  for (std::size_t i = found.size(); i-- > 0;)
    if (is_over(found[i])) {
      state->turns[found[i].turn].found += counts;
      found.swap_remove(i);
    }
}

void drop_turns(GuestAddr lock) {
  end_turns([&](const auto& found) { return found.lock == lock; }, false);
}

bool may_find(GuestAddr returns_to) {
  return returns_to != 0 && shadow::threads() > 1 && !shadow::running()->is_idle();
}

} // namespace

bool finds(const locks::Lock& lock, GuestAddr returns_to) {
  if (!may_find(returns_to))
    return false;
  drop_turns(lock.address);
  const Vector<GuestAddr>& calls = waits_ahead(return_addresses(returns_to));
  for (const GuestAddr call : calls)
    for (const locks::Signalled& signalled : lock.signalled)
      if (signalled.path > shadow::span().path().lengths.span)
        if (const u32 turn = turn_at(call, signalled.condition); is_possible(state->turns[turn])) {
          found_by_running().push_back({lock.address, turn});
          return true;
        }
  return !calls.empty();
}

void may_complete(const locks::Lock& lock, GuestAddr returns_to) {
  if (!may_find(returns_to))
    return;
  drop_turns(lock.address);
  for (const GuestAddr call : waits_ahead(return_addresses(returns_to)))
    if (const Wait* others = state->waiting_calls.find(call);
        others != nullptr && others->path > shadow::span().path().lengths.span) {
      found_by_running().push_back(
          {lock.address, turn_at(call, others->condition), others->condition});
      return;
    }
}

// Also applies after the thread has released the lock.
bool signals(GuestAddr condition, bool is_ordered) {
  const std::size_t before = found_by_running().size();
  end_turns([&](const auto& found) { return found.if_signals == condition; }, !is_ordered);
  return found_by_running().size() < before;
}

void waits(const shadow::HookedCall& call, GuestAddr condition, GuestAddr lock) {
  drop_turns(lock);
  const Span path = shadow::span().path().lengths.span;
  for (const GuestAddr address : return_addresses(call.returns_to)) {
    state->turns[turn_at(address, condition)].waited = true;
    if (Wait& longest = state->waiting_calls.at(address); longest.path <= path)
      longest = {condition, path};
  }
}

void released(GuestAddr lock) {
  end_turns([&](const auto& found) { return found.lock == lock && found.if_signals == 0; }, true);
}

u64 found() {
  u64 found = 0;
  if (const State* used = state.if_used())
    for (const Turn& turn : used->turns)
      found += is_possible(turn) ? turn.found : 0;
  return found;
}

void forget_totals() {
  if (State* used = state.if_used())
    for (Turn& turn : used->turns)
      turn.found = 0;
}

} // namespace turns
