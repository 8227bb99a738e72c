// The measures of a call site: Cilkprof's top-call-site, top-caller and local measures (Cilkprof
// paper, section 6).
//
// Work is the cost of everything that an invocation executed; its span is the growth of the longest
// path between its call and its return. Both are in guest instructions, or in basic blocks.
#pragma once

#include "base/types.hpp"

using Work = u64;
using Span = u64;

// Number of a call site, in the order of discovery, starting at 0. A site is the address of a call
// together with the routine called there: an indirect call has one site per callee.
enum class SiteId : u32 {};
constexpr u32 index(SiteId id) { return static_cast<u32>(id); }

// The number of invocations in a set, and the sums of their work and span.
struct Measure {
  u64 count = 0;
  Work work = 0;
  Span span = 0;

  Measure& operator+=(const Measure& other) {
    count += other.count;
    work += other.work;
    span += other.span;
    return *this;
  }
  void add(const Measure& other, u64 times) {
    count += times * other.count;
    work += times * other.work;
    span += times * other.span;
  }
  bool operator==(const Measure&) const = default;
};

struct Measures {
  Measure top_site;   // invocations not within another one of the same site
  Measure top_caller; // invocations by an activation of the caller that is not within another one
  Measure local;      // all invocations, without their callees
  Span burdened = 0;  // burdened span of top_site; only on work, and only for calls

  Measures& operator+=(const Measures& other) {
    top_site += other.top_site;
    top_caller += other.top_caller;
    local += other.local;
    burdened += other.burdened;
    return *this;
  }
  void add(const Measures& other, u64 times) {
    top_site.add(other.top_site, times);
    top_caller.add(other.top_caller, times);
    local.add(other.local, times);
    burdened += times * other.burdened;
  }
  bool operator==(const Measures&) const = default;
};

// How a loop's work is divided. Executions are those of its machine code. Iterations are those that
// a parallel loop has marked: of a cilk_for, or chunks that an OpenMP library has given out; or
// those of executions that are parts of a parallel loop, divided by threads or tasks.
struct LoopSpread {
  Work largest_execution = 0;
  u64 parts = 0;
  Work work_of_parts = 0;
  bool is_around = false; // a thread has met a barrier in it: its inner loops are divided
  u64 iterations = 0;     // of parts, those that were told apart
  Work work = 0;          // of the iterations
  Work largest_iteration = 0;

  void add_execution(Work of) {
    if (of > largest_execution)
      largest_execution = of;
  }
  void add_iteration(Work of) {
    iterations++;
    work += of;
    if (of > largest_iteration)
      largest_iteration = of;
  }
  void add_parts(u64 executions, Work of) {
    parts += executions;
    work_of_parts += of;
  }
  // `other` as often as `times`.
  void add(const LoopSpread& other, u64 times) {
    add_execution(other.largest_execution);
    add_parts(times * other.parts, times * other.work_of_parts);
    is_around |= other.is_around;
    iterations += times * other.iterations;
    work += times * other.work;
    if (other.largest_iteration > largest_iteration)
      largest_iteration = other.largest_iteration;
  }
  bool operator==(const LoopSpread&) const = default;
};

// The measures of one invocation: inclusive, and local, without its callees.
struct Invocation {
  Work work = 0;
  Span span = 0;
  Work local_work = 0;
  Span local_span = 0; // along its own path

  bool operator==(const Invocation&) const = default;
};

// What one invocation, or several similar ones in a row, add to their site: all measures at the
// return, or before it a part of the local span.
struct Contribution {
  SiteId site;
  bool top_site = false;
  bool top_caller = false;
  u64 invocations = 0; // number that have returned; 0: adds to the local span only
  Invocation of;

  // Whether both are of one kind, so that they can be combined.
  bool is_like(const Contribution& other) const {
    return site == other.site && top_site == other.top_site && top_caller == other.top_caller;
  }
  Contribution& operator+=(const Contribution& other) {
    invocations += other.invocations;
    of.work += other.of.work;
    of.span += other.of.span;
    of.local_work += other.of.local_work;
    of.local_span += other.of.local_span;
    return *this;
  }
  void add_to(Measures& sums) const {
    sums.local.span += of.local_span;
    if (invocations == 0)
      return;
    sums.local.count += invocations;
    sums.local.work += of.local_work;
    if (top_site)
      sums.top_site += {invocations, of.work, of.span};
    if (top_caller)
      sums.top_caller += {invocations, of.work, of.span};
  }
};
