// The events of invocations that have a summary, as they are in the log, from the call to the
// return, and relative to the call. Where such events come again they are recognised one by one,
// for a fraction of what it takes to put an invocation and all its callees into words.
//
// What begins in the same way is there once (a trie): a step is an event, upon which what followed
// first lies next to it in memory; what else has followed is found by a hash table.
//
// Knows nothing of Valgrind.
#pragma once

#include "base/vector.hpp"
#include "trace/logged_event.hpp"
#include "work_span/engine/summaries.hpp"

class EventTrie {
public:
  using Event = event_log::Event;

  static constexpr std::size_t kMostEvents = 512; // of an invocation
  static constexpr u32 kMostSteps = 1 << 14;

  // Of the invocation that is called at `event`, with that in its key first; `event` is then after
  // its return. Null: it is not known; or, if `event` is `end`, it is so far.
  [[gnu::always_inline]] const Summary* find(u64 first_word, const Event*& event,
                                             const Event* end) const {
    const Root& root = root_of(first_word);
    if (root.first_word != first_word || root.step == 0)
      return nullptr;
    const Event& call = *event;
    const Step* step = &steps_[root.step];
    for (const Event* next = event; next != end; step++) {
      if (!step->is(*next, call)) {
        step = other(step, *next, call);
        if (step == nullptr)
          return nullptr;
      }
      next++;
      if (step->summary != nullptr) {
        event = next;
        return step->summary;
      }
    }
    event = end;
    return nullptr;
  }
  // From now on the events from `call` to before `end`, if they are worth it.
  void add(const Event* call, const Event* end, const Summary& summary);
  void forget();

private:
  struct Step {
    u64 what = 0;
    u32 time = 0;
    int sp = 0;
    GuestAddr target = 0;             // 0: it has none
    const Summary* summary = nullptr; // of the invocation, which ends here

    Step() = default;
    Step(const Event& event, const Event& call);
    [[gnu::always_inline]] bool is(const Event& event, const Event& call) const {
      return event.what == what && event.time - call.time == time &&
             event.sp - call.sp == static_cast<u64>(long{sp}) &&
             (target == 0 || event.target == target);
    }
  };
  struct Root {
    u64 first_word = 0;
    u32 step = 0; // 0: there is none
  };
  // What else came where a step did not.
  struct Other {
    u32 instead_of = 0; // 0: nothing
    u32 step = 0;
  };

  u32 append(const Event* event, const Event* end, const Event& call, const Summary& summary);
  const Step* other(const Step* step, const Event& event, const Event& call) const {
    const auto instead_of = static_cast<u32>(step - steps_.begin());
    const Other& known = others_[place(instead_of, event, call)];
    if (known.instead_of != instead_of)
      return nullptr;
    const Step& other = steps_[known.step];
    return other.is(event, call) ? &other : nullptr;
  }
  static std::size_t place(u32 instead_of, const Event& event, const Event& call) {
    const u64 event_and_time = event.what * 0x9E3779B97F4A7C15u + event.time - call.time;
    return ((event_and_time + instead_of) * 0x9E3779B97F4A7C15u) >> (64 - kOthersBits);
  }

  static constexpr std::size_t kRoots = 256;
  static constexpr unsigned kOthersBits = 12;
  Root& root_of(u64 first_word) { return roots_[first_word % kRoots]; }
  const Root& root_of(u64 first_word) const { return roots_[first_word % kRoots]; }

  Vector<Step> steps_{"cilkshadow.summaries"}; // the first is none
  Root roots_[kRoots];
  Other others_[1 << kOthersBits];
};
