// Invocations that are alike, each measured once. Programs of many small tasks do the same again
// and again: what an invocation does is given by the log sites of its events, the time between them
// and what its callees did in turn (steps.hpp). If all that is the same, so is what it adds to the
// engine's numbers. So equal invocations have one summary, which stands for them where their
// callers do the same, and they are found by comparing a few words each (hash-consing).
//
// KnownInvocations owns them; there is room for kMost, and then all are forgotten. Finding costs a
// comparison of the steps, as the hash decides nothing. Knows nothing of Valgrind, nor what steps
// mean.
#pragma once

#include "base/vector.hpp"
#include "work_span/engine/invocation_summary.hpp"

#include <utility>

namespace shadow {

struct KnownInvocation {
  // Whether a site and its routine were pending before it, which makes a difference.
  struct Pending {
    SiteId site;
    RoutineId routine;
    bool site_pending;
    bool routine_pending;
  };

  explicit KnownInvocation(u32 number = 0) : number(number) {}

  InvocationSummary summary;
  const u32 number; // hashed for its address, as profiles must not depend on where memory lies
  mutable u64 uncounted = 0; // how often it was repeated without WorkSpan::count_repeats
  mutable u64 fits_at = 0;   // the LogMemory::pending_version at which `pending` was so
  u64 all_steps = 0;         // words of its own steps and of its callees'
  mutable u32 found = 0;     // how often, by its steps
  Vector<Pending> pending{"cilkshadow.summaries"}; // of all sites in it
  Vector<u64> steps{"cilkshadow.summaries"};
};

class KnownInvocations {
public:
  static constexpr std::size_t kMost = 1024;

  KnownInvocations() = default;
  KnownInvocations(const KnownInvocations&) = delete;
  KnownInvocations& operator=(const KnownInvocations&) = delete;
  ~KnownInvocations();

  // Null: there is none.
  const KnownInvocation* find(const u64* steps, std::size_t words, u64 hash) const {
    for (std::size_t i = slot_of(hash); slots_[i].known != nullptr; i = (i + 1) % kSlots)
      if (slots_[i].hash == hash && does(*slots_[i].known, steps, words)) [[likely]]
        return slots_[i].known;
    return nullptr;
  }
  // Whether this was asked of the hash before, lately: what comes once is not worth measuring.
  bool is_second(u64 hash) {
    u32& seen = seen_[slot_of(hash) % kSeen];
    const auto mark = static_cast<u32>(hash) | 1;
    return std::exchange(seen, mark) == mark;
  }
  bool is_full() const { return used_ == kMost; }
  // An empty one to fill, while there is room. Unless it is kept, it is the next one, too.
  KnownInvocation& next();
  const KnownInvocation* keep(u64 hash); // that one, whose steps are complete
  // Nobody may use one of before, and all are counted.
  void forget();

  template <typename F> void for_each(F f) const {
    for (std::size_t i = 0; i < used_; i++)
      f(*all_[i]);
  }

  // The hash of steps grows word by word, and is mixed in the end.
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

  Vector<KnownInvocation*> all_{"cilkshadow.summaries"}; // the first are used
  std::size_t used_ = 0;
  Slot slots_[kSlots];
  u32 seen_[kSeen]{};
};

// Where invocations of a call site, or iterations of a loop, are not worth looking for: for a while
// after many were not known. Takes a site's or a loop's number; some share their fate.
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
    u16 rest = 0; // invocations not to look for
    u8 missed = 0;
  };
  Of of_[kSlots];
};

} // namespace shadow
