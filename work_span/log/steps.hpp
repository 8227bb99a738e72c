// What an invocation does and when, without addresses: the words by which it is known
// (known_invocations.hpp). A word of 64 bits opens the invocation, each of its events is a step of
// one word or several, and the time from the last step to the return ends it.
//
//   bits     a step's first word holds                 the opening word holds, of an invocation
//    0..2    the operation                             which of caller, routine and site were
//                                                      pending before (OpenInvocation)
//    3       whether it is a call of a leaf            the call site's number, from here on
//    4       of leaves and loops: no other call of
//            the site is pending, nor execution of
//            the loop
//    5..31   the number of its log site, or of the
//            call site where that is not the log
//            site's own
//   32..63   the time since the step before            63: 0; of an iteration 1, and the number is
//                                                      its marker's log site, up to bit 31,
//                                                      and from there on its routine's
//
//   operation                  number of      further words
//   call, call_at              log, call      the known invocation's address
//   spawn_call                 log            the known invocation's address
//   marker, in_loop            log            none
//   leaf, leaf_at              log, call      its work
//   spawn_leaf                 log            its work
//   leaves_at                  call           their work, how many, the time between them
//   leaf_loops                 log            the same of executions of a loop
//
// A leaf calls nothing: its return follows its call, or the end of its loop the beginning. `spawn_`
// stands where the log site is a marker with the spawned call behind it. Operations have the
// numbers of the kinds of events that they are made of, so that a call's event needs no
// translation.
#pragma once

#include "trace/event_log.hpp"
#include "work_span/log/engine_driver.hpp"

namespace shadow {

struct Step {
  static constexpr u32 kLeaf = 8, kTopSite = 16;
  enum Operation : u32 {
    call = static_cast<u32>(event_log::Kind::call),
    spawn_call = static_cast<u32>(event_log::Kind::spawn_call),
    marker = static_cast<u32>(event_log::Kind::marker),
    call_at = static_cast<u32>(event_log::Kind::call_indirect),
    in_loop = static_cast<u32>(event_log::Kind::in_loop),
    leaf = kLeaf | call,
    spawn_leaf = kLeaf | spawn_call,
    leaf_at = kLeaf | call_at,
    leaves_at = kLeaf | static_cast<u32>(event_log::Kind::stub_jump),
    leaf_loops = kLeaf | in_loop,
  };

  // The lower half of a first word.
  static u32 at(Operation operation, SiteId site) {
    return operation | index(site) << event_log::Event::kKindBits;
  }
  static u32 at_log_site(Operation operation, u32 log_site) {
    return operation | log_site << event_log::Event::kKindBits;
  }
  static u64 word(u32 what, u64 after) { return what | after << 32; }

  static Operation operation(u64 word) { return static_cast<Operation>(word % kTopSite); }
  static u32 number(u64 word) { return static_cast<u32>(word) >> event_log::Event::kKindBits; }
  static u64 after(u64 word) { return word >> 32; }
  static bool is_leaf(u64 word) { return (word & kLeaf) != 0; }
  static SiteId call_site(u64 word, const event_log::LogSite* log_sites) {
    const Operation of = operation(word);
    const bool is_at_log_site = of < call_at || of == leaf || of == spawn_leaf;
    return is_at_log_site ? SiteId{log_sites[number(word)].call_site} : SiteId{number(word)};
  }
  // From a step's first word to the next step's.
  static unsigned words(u64 word) {
    const Operation of = operation(word);
    return of == marker || of == in_loop ? 1 : of == leaves_at || of == leaf_loops ? 4 : 2;
  }
  static const KnownInvocation& callee(const u64* step) {
    return *reinterpret_cast<const KnownInvocation*>(step[1]);
  }
};

// Before a call by the driver's top frame that a step's first word, or its lower half, tells of.
[[gnu::always_inline]] inline void before_call(EngineDriver& driver, u64 word, SiteId site,
                                               const event_log::LogSite* log_sites) {
  if ((Step::operation(word) & ~Step::kLeaf) == Step::spawn_call)
    driver.before_spawned_call(site, log_sites[Step::number(word)]);
  else
    driver.before_call(site);
}

// Does the steps from `step` to before `end`, from now on.
void replay(EngineDriver& driver, const u64* step, const u64* end,
            const event_log::LogSite* log_sites);

} // namespace shadow
