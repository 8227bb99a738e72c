// The call edges into one routine, in one thread: the routines that called it, and what the
// activations that they called add up to. The routine's own totals are the sum over its edges.
//
// Owns its edges; they stay where they are, the first one in the record itself, since most routines
// have a single caller. The others are allocated when their callers are met. The caller of the call
// before is found at once, another by a short search if there are up to kLinear, otherwise by one
// hash probe.
#pragma once

#include "aprof/profile/points.hpp"
#include "base/address_map.hpp"
#include "base/types.hpp"

class RoutineRecord;

// Sums over activations that returned or were cut off.
struct Totals {
  u64 calls = 0;
  u64 unfinished = 0; // of them, those cut off
  u64 induced_by_thread = 0;
  u64 induced_by_kernel = 0;
  AllCosts inclusive; // of outermost activations only: recursion never counts twice
  AllCosts nested;    // inclusive cost of the others
  AllCosts self;

  void add(const Sample& sample, bool outermost) {
    calls++;
    induced_by_thread += sample.induced_by_thread;
    induced_by_kernel += sample.induced_by_kernel;
    (outermost ? inclusive : nested) += sample.inclusive;
    self += sample.self;
  }
  // Adds `times` equal activations, with one cost event; nothing was induced.
  void add_alike(CostEvent event, u64 inclusive_cost, u64 self_cost, bool outermost, u64 times) {
    calls += times;
    (outermost ? inclusive : nested)[event] += times * inclusive_cost;
    self[event] += times * self_cost;
  }
  void add_unfinished(const Sample& sample, bool outermost) {
    add(sample, outermost);
    unfinished++;
  }
  void add(const Totals& other);
};

struct CallEdge {
  const RoutineRecord* caller; // null: no activation that is recorded
  Totals totals;
  CallEdge* next;
};

class CallEdges {
public:
  CallEdges() = default;
  ~CallEdges();
  CallEdges(const CallEdges&) = delete;
  CallEdges& operator=(const CallEdges&) = delete;

  Totals& from(const RoutineRecord* caller) {
    if (latest_->caller != caller)
      latest_ = &find_or_add(caller);
    return latest_->totals;
  }

  // Adds the edges into the same routine in another context. Each caller is counted as its
  // representative.
  void add(const CallEdges& other);
  Totals sum() const;
  template <typename F> void for_each(F f) const {
    for (const CallEdge* edge = size_ == 0 ? nullptr : &first_; edge != nullptr; edge = edge->next)
      f(*edge);
  }

private:
  static constexpr std::size_t kLinear = 8; // up to so many need no hash index

  using Index = AddressMap<CallEdge*>; // by the caller's address

  // Equal to no caller: what the first edge has before it is one.
  const RoutineRecord* nobody() const { return reinterpret_cast<const RoutineRecord*>(this); }
  CallEdge& find_or_add(const RoutineRecord* caller);

  CallEdge* latest_ = &first_;
  CallEdge first_{nobody(), {}, nullptr};
  Index* index_ = nullptr;
  std::size_t size_ = 0;
};
