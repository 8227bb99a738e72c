// Steps: an encoding of what an invocation does and when, without addresses, by which known
// invocations are found (known_invocations.hpp). One 64-bit word opens the invocation, each event
// is a step of one or more words, and the time from the last step to the return ends it.
//
//   bits     first word of a step                     opening word of an invocation
//    0..2    the operation                            whether caller, routine and site were
//                                                     pending before (OpenInvocation)
//    3       it is a call of a leaf                   3..62: the number of the call site
//    4       of leaves and loops: no other call of
//            the site, or execution of the loop,
//            is pending
//    5..31   the number of its log site, or of the
//            call site if that is not the log
//            site's own
//   32..63   the time since the previous step         63: 0
//
// The opening word of an iteration has bit 63 set, the number of its marker's log site in bits 3 to
// 31, and its routine from bit 32 on.
//
//   operation                  number of      further words
//   call, call_at              log, call      address of the known invocation
//   spawn_call                 log            address of the known invocation
//   marker, in_loop            log            none
//   leaf, leaf_at              log, call      its work
//   spawn_leaf                 log            its work
//   leaves_at                  call           their work, their number, the time between them
//   leaf_loops                 log            the same for executions of a loop
//
// A leaf calls nothing: its return directly follows its call, or the end of the loop its beginning.
// `spawn_` means that the log site is a marker followed by the spawned call. Operations have the
// same numbers as the kinds of events that they come from, so that the event of a call needs no
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
  // The number of words from a step's first word to the next step.
  static unsigned words(u64 word) {
    const Operation of = operation(word);
    return of == marker || of == in_loop ? 1 : of == leaves_at || of == leaf_loops ? 4 : 2;
  }
  static const KnownInvocation& callee(const u64* step) {
    return *reinterpret_cast<const KnownInvocation*>(step[1]);
  }
};

// Call before a call by the driver's top frame. `word`: the step's first word, or its lower half.
[[gnu::always_inline]] inline void before_call(EngineDriver& driver, u64 word, SiteId site,
                                               const event_log::LogSite* log_sites) {
  if ((Step::operation(word) & ~Step::kLeaf) == Step::spawn_call)
    driver.before_spawned_call(site, log_sites[Step::number(word)]);
  else
    driver.before_call(site);
}

// Executes the steps from `step` up to `end`, starting at the driver's present time.
void replay(EngineDriver& driver, const u64* step, const u64* end,
            const event_log::LogSite* log_sites);

} // namespace shadow
