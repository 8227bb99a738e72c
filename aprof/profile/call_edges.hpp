// The call edges into one routine, in one thread: its callers, and the totals of the activations
// that each of them called. The routine's own totals are the sum over its edges.
//
// Owns its edges, which never move. The first one is part of the record itself, since most routines
// have a single caller; the others are allocated at the first call by their callers. The caller of
// the previous call is found at once, another by a linear search among up to kLinear, or else by
// one hash probe.
#pragma once

#include "aprof/profile/points.hpp"
#include "base/address_map.hpp"
#include "base/types.hpp"

class RoutineRecord;

// Sums over activations that returned or were cut off.
struct Totals {
  u64 calls = 0;
  u64 unfinished = 0; // those that were cut off
  u64 induced_by_thread = 0;
  u64 induced_by_kernel = 0;
  AllCosts inclusive; // of outermost activations only: recursion never counts twice
  AllCosts nested;    // inclusive cost of the other activations
  AllCosts self;

  void add(const Sample& sample, bool outermost) {
    calls++;
    induced_by_thread += sample.induced_by_thread;
    induced_by_kernel += sample.induced_by_kernel;
    (outermost ? inclusive : nested) += sample.inclusive;
    self += sample.self;
  }
  // Adds `times` equal activations, for one cost event. None of them has induced accesses.
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
  const RoutineRecord* caller; // null: called by no recorded activation
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

  // Adds the edges into the same routine in another context. Each caller is replaced by its
  // representative.
  void add(const CallEdges& other);
  Totals sum() const;
  template <typename F> void for_each(F f) const {
    for (const CallEdge* edge = size_ == 0 ? nullptr : &first_; edge != nullptr; edge = edge->next)
      f(*edge);
  }

private:
  static constexpr std::size_t kLinear = 8; // up to this number, there is no hash index

  using Index = AddressMap<CallEdge*>; // by the caller's address

  // Differs from every caller: marks the first edge as unused.
  const RoutineRecord* nobody() const { return reinterpret_cast<const RoutineRecord*>(this); }
  CallEdge& find_or_add(const RoutineRecord* caller);

  CallEdge* latest_ = &first_;
  CallEdge first_{nobody(), {}, nullptr};
  Index* index_ = nullptr;
  std::size_t size_ = 0;
};
