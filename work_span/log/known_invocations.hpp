// Known invocations: invocations that do the same, measured once. Programs with many small tasks do
// the same over and over. What an invocation does is determined by the log sites of its events, the
// time between them, and what its callees did (steps.hpp). If all of this is equal, so is what it
// adds to the engine's numbers. Equal invocations therefore share one summary, which also
// represents them in their callers' steps, so that invocations are found by comparing a few words
// (hash-consing).
//
// KnownInvocations owns them. There is room for kMost, after which all are dropped. Steps are
// always compared, not only their hash. Independent of Valgrind, and of the meaning of steps.
#pragma once

#include "base/vector.hpp"
#include "work_span/engine/invocation_summary.hpp"

#include <utility>

namespace shadow {

struct KnownInvocation {
  // Whether a site and its routine were pending before the invocation, which affects its measures.
  struct Pending {
    SiteId site;
    RoutineId routine;
    bool site_pending;
    bool routine_pending;
  };

  explicit KnownInvocation(u32 number = 0) : number(number) {}

  InvocationSummary summary;
  const u32 number;          // hashed instead of its address: profiles must not depend on addresses
  mutable u64 uncounted = 0; // repetitions that are not in WorkSpan::count_repeats yet
  mutable u64 fits_at = 0;   // the LogMemory::pending_version for which `pending` was last verified
  u64 all_steps = 0;         // words of its own steps and of its callees'
  mutable u32 found = 0;     // how often it was found by its steps
  Vector<Pending> pending{"cilkshadow.summaries"}; // for all sites in it
  Vector<u64> steps{"cilkshadow.summaries"};
};

class KnownInvocations {
public:
  static constexpr std::size_t kMost = 1024;

  KnownInvocations() = default;
  KnownInvocations(const KnownInvocations&) = delete;
  KnownInvocations& operator=(const KnownInvocations&) = delete;
  ~KnownInvocations();

  // Null if there is none.
  const KnownInvocation* find(const u64* steps, std::size_t words, u64 hash) const {
    for (std::size_t i = slot_of(hash); slots_[i].known != nullptr; i = (i + 1) % kSlots)
      if (slots_[i].hash == hash && does(*slots_[i].known, steps, words)) [[likely]]
        return slots_[i].known;
    return nullptr;
  }
  // Remembers the hash. Returns whether it was remembered already: an invocation that occurs once
  // is not worth measuring.
  bool remember(u64 hash) {
    u32& seen = seen_[slot_of(hash) % kSeen];
    const auto mark = static_cast<u32>(hash) | 1;
    return std::exchange(seen, mark) == mark;
  }
  bool is_full() const { return used_ == kMost; }
  // Returns an empty invocation to fill; call only while there is room. It is returned again until
  // it is kept.
  KnownInvocation& next();
  const KnownInvocation* keep(u64 hash); // keeps that one, whose steps are complete
  // Drops all invocations. They must not be used any more, and must have been counted.
  void forget();

  template <typename F> void for_each(F f) const {
    for (std::size_t i = 0; i < used_; i++)
      f(*all_[i]);
  }

  // The hash of steps is extended word by word, and mixed in the end.
  static u64 hash(u64 before, u64 word) { return before * 0x9E3779B97F4A7C15u + word; }
  static u64 mixed(u64 hash) { return hash ^ hash >> 32; }

private:
  static constexpr std::size_t kSlots = 4 * kMost;
  static constexpr std::size_t kSeen = 2048;
  struct Slot {
    u64 hash = 0;
    KnownInvocation* known = nullptr;
  };
  static std::size_t slot_of(u64 hash) { return (hash >> 16) % kSlots; }
  static bool does(const KnownInvocation& known, const u64* steps, std::size_t words) {
    if (known.steps.size() != words)
      return false;
    const u64* const its = known.steps.begin();
    u64 difference = its[words - 1] ^ steps[words - 1];
    for (std::size_t i = 0; i + 1 < words; i += 2)
      difference |= (its[i] ^ steps[i]) | (its[i + 1] ^ steps[i + 1]);
    return difference == 0;
  }

  Vector<KnownInvocation*> all_{"cilkshadow.summaries"}; // the first used_ are in use
  std::size_t used_ = 0;
  Slot slots_[kSlots];
  u32 seen_[kSeen]{};
};

// Backoff: for some time, invocations of a call site or iterations of a loop are not looked up if
// many of them were unknown before. Indexed by the number of the site or loop; some share an entry.
class Backoff {
public:
  bool allows(u32 what) {
    Of& of = of_[what % kSlots];
    if (of.rest == 0) [[likely]]
      return true;
    of.rest--;
    return false;
  }
  void count(u32 what, bool found) {
    Of& of = of_[what % kSlots];
    if (found) {
      of.missed -= of.missed > 0;
    } else if (++of.missed == kMost) {
      of.missed = kMost - kAgain;
      of.rest = kRest;
    }
  }

private:
  static constexpr std::size_t kSlots = 256;
  static constexpr u8 kMost = 64, kAgain = 8;
  static constexpr u16 kRest = 1024;
  struct Of {
    u16 rest = 0; // invocations that are not looked up
    u8 missed = 0;
  };
  Of of_[kSlots];
};

} // namespace shadow
