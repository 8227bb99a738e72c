// Invocations that are alike, each measured once. Programs of many small tasks do the same again
// and again: what an invocation does is given by the places of its events, the time between them
// and what its callees did in turn, and if all that is the same, so is what it adds to the engine's
// numbers. So equal invocations have one summary, which stands for them where their callers do the
// same; and they are found by comparing a few words each (hash-consing).
//
// Knows nothing of Valgrind, nor what the words mean.
#pragma once

#include "base/vector.hpp"
#include "work_span/engine/path.hpp"

// What an invocation of a routine measured, with all that it called. Added to the numbers of its
// caller by WorkSpan::call_summary.
struct Summary {
  static constexpr std::size_t kMostSites = 8;
  static constexpr std::size_t kMostOnPath = 12;
  struct OfSite {
    SiteId site;
    u64 spawned = 0;
    Measures on_work{};
  };

  // Whether a site and its routine are pending before it, which makes a difference.
  struct Pending {
    SiteId site;
    RoutineId routine;
    bool site_pending;
    bool routine_pending;
  };

  Work work = 0;
  Lengths lengths;           // by which its thread's path grows
  mutable u32 found = 0;     // by its key
  mutable u64 uncounted = 0; // how often it has been told without WorkSpan::count
  mutable u64 fits_when = 0; // KnownInvocations::pending_changes when `pending` was so
  u64 words = 0;             // in its key, with those of its callees
  // Of an iteration: how its frame's callees and its local span grow.
  Work callees = 0;
  Span local_span = 0;
  u64 spawns = 0;
  u64 syncs = 0;
  Vector<OfSite> sites{"cilkshadow.summaries"};
  Vector<Contribution> on_path{"cilkshadow.summaries"}; // one for each site and kind
  Vector<Pending> pending{"cilkshadow.summaries"};      // of all sites
  Vector<u64> key{"cilkshadow.summaries"};

  OfSite& of(SiteId site) {
    for (OfSite& known : sites)
      if (known.site == site)
        return known;
    return sites.emplace_back(site);
  }
};

class Summaries {
public:
  static constexpr std::size_t kMost = 1024;

  Summaries() = default;
  Summaries(const Summaries&) = delete;
  Summaries& operator=(const Summaries&) = delete;
  ~Summaries();

  // Null: there is none.
  const Summary* find(const u64* key, std::size_t words, u64 hash) const {
    for (std::size_t i = place(hash); by_hash_[i].summary != nullptr; i = (i + 1) % kPlaces)
      if (by_hash_[i].hash == hash && is_key_of(*by_hash_[i].summary, key, words)) [[likely]]
        return by_hash_[i].summary;
    return nullptr;
  }
  // Whether that was asked of the hash before, lately: what comes once is not worth a summary.
  bool is_second(u64 hash) {
    u32& seen = seen_[place(hash) % kSeen];
    const auto mark = static_cast<u32>(hash) | 1;
    return std::exchange(seen, mark) == mark;
  }
  bool is_full() const { return used_ == kMost; }
  // One that is empty, until another is asked for, or it is kept. There must be room.
  Summary& empty();
  // That one, whose key is complete.
  const Summary* keep(u64 hash);
  // Nobody may use one that is gone.
  void forget();

  // Of a key, word by word; and what it is in the end.
  static u64 hash(u64 before, u64 word) { return before * 0x9E3779B97F4A7C15u + word; }
  static u64 mixed(u64 hash) { return hash ^ hash >> 32; }

private:
  static constexpr std::size_t kPlaces = 4 * kMost;
  static constexpr std::size_t kSeen = 2048;
  struct Place {
    u64 hash = 0;
    Summary* summary = nullptr;
  };
  static std::size_t place(u64 hash) { return (hash >> 16) % kPlaces; }
  static bool is_key_of(const Summary& summary, const u64* key, std::size_t words) {
    if (summary.key.size() != words)
      return false;
    const u64* const known = summary.key.begin();
    u64 difference = known[words - 1] ^ key[words - 1];
    for (std::size_t i = 0; i + 1 < words; i += 2)
      difference |= (known[i] ^ key[i]) | (known[i + 1] ^ key[i + 1]);
    return difference == 0;
  }

  Vector<Summary*> all_{"cilkshadow.summaries"}; // the first are used
  std::size_t used_ = 0;
  Place by_hash_[kPlaces];
  u32 seen_[kSeen]{};
};

// By call site, whether its invocations are worth looking for their summaries. They are, for a
// while, as long as there are some now and then.
class Patience {
public:
  bool with(u32 what) {
    Of& of = of_[what % kPlaces];
    if (of.rest == 0) [[likely]]
      return true;
    of.rest--;
    return false;
  }
  void count(u32 what, bool found) {
    Of& of = of_[what % kPlaces];
    if (found) {
      of.missed -= of.missed > 0;
    } else if (++of.missed == kMost) {
      of.missed = kMost - kAgain;
      of.rest = kRest;
    }
  }

private:
  static constexpr std::size_t kPlaces = 256; // sites may share one
  static constexpr u8 kMost = 64, kAgain = 8;
  static constexpr u16 kRest = 1024;
  struct Of {
    u16 rest = 0; // invocations not to look for
    u8 missed = 0;
  };
  Of of_[kPlaces];
};
