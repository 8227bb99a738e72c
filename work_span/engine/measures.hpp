// What is known of a call site: Cilkprof's top-call-site, top-caller and local measures
// (Cilkprof paper, section 6).
//
// Work is the cost of all that an invocation executed, its span the growth of the longest path
// between its call and its return; both in guest instructions, or basic blocks.
#pragma once

#include "base/types.hpp"

using Work = u64;
using Span = u64;

// Number of a call site in order of discovery, from 0. A site is the address of a call and the
// routine called there: an indirect call is a site for each callee.
enum class SiteId : u32 {};
constexpr u32 index(SiteId id) { return static_cast<u32>(id); }

// One set of invocations: how many, and the sums of their work and span.
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
  Measure top_site;   // invocations not within another of the same site
  Measure top_caller; // invocations by an instance of the caller not within another instance
  Measure local;      // all invocations, without their callees

  Measures& operator+=(const Measures& other) {
    top_site += other.top_site;
    top_caller += other.top_caller;
    local += other.local;
    return *this;
  }
  void add(const Measures& other, u64 times) {
    top_site.add(other.top_site, times);
    top_caller.add(other.top_caller, times);
    local.add(other.local, times);
  }
  bool operator==(const Measures&) const = default;
};

// What one invocation measured: inclusive, and of itself without its callees.
struct Invocation {
  Work work = 0;
  Span span = 0;
  Work local_work = 0;
  Span local_span = 0; // along its own path

  bool operator==(const Invocation&) const = default;
};

// What one invocation adds to its site: all its measures when it has returned, or before that part
// of its local span. Or what several of one kind do that follow each other.
struct Contribution {
  SiteId site;
  bool top_site = false;
  bool top_caller = false;
  u64 invocations = 0; // that have returned; 0: to the local span only
  Invocation of;

  // Of one kind, so that one may stand for both.
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
