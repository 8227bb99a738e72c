// A trie that recognises known invocations by their events, as logged from the call to the return.
// When the same events come again, each is compared with the trie, which takes a fraction of the
// time of converting an invocation and all its callees to steps.
//
// Common beginnings of invocations are stored once. A node is an event, relative to the call. The
// node that first followed it is next to it in memory; a hash table has all others. Owns the nodes,
// but not the invocations. There is room for kMostNodes, after which all are dropped; if the hashes
// of nodes collide, the older one is dropped. Finding an invocation costs some twenty instructions
// per event. Independent of Valgrind.
#pragma once

#include "base/vector.hpp"
#include "trace/logged_event.hpp"

namespace shadow {

struct KnownInvocation;

class EventTrie {
public:
  using Event = event_log::Event;

  static constexpr std::size_t kMostEvents = 512; // per invocation
  static constexpr u32 kMostNodes = 1 << 14;

  // Finds the invocation with this opening word that is called at `event`, and moves `event` behind
  // its return. Returns null if it is not known; or, with `event` at `end`, if it is known only up
  // to there.
  [[gnu::always_inline]] const KnownInvocation* find(u64 opening, const Event*& event,
                                                     const Event* end) const {
    const Root& root = root_of(opening);
    if (root.opening != opening || root.node == 0)
      return nullptr;
    const Event& call = *event;
    const Node* node = &nodes_[root.node];
    for (const Event* next = event; next != end; node++) {
      if (!node->is(*next, call)) {
        node = sibling(node, *next, call);
        if (node == nullptr)
          return nullptr;
      }
      next++;
      if (node->ended != nullptr) {
        event = next;
        return node->ended;
      }
    }
    event = end;
    return nullptr;
  }
  // Adds the events from `call` up to `end`, if that is worthwhile.
  void add(u64 opening, const Event* call, const Event* end, const KnownInvocation& known);
  void forget();

private:
  struct Node {
    u64 what = 0;
    u32 time = 0;
    int sp = 0;
    GuestAddr target = 0; // of a return; other kinds in the trie have none
    // The invocation that this event ends; null: it continues.
    const KnownInvocation* ended = nullptr;

    Node() = default;
    Node(const Event& event, const Event& call);
    [[gnu::always_inline]] bool is(const Event& event, const Event& call) const {
      return event.what == what && event.time - call.time == time &&
             event.sp - call.sp == static_cast<u64>(long{sp}) &&
             (event.target == target || !event.is_return());
    }
  };
  struct Root {
    u64 opening = 0;
    u32 node = 0; // 0: none
  };
  // A node that came where another one came first.
  struct Sibling {
    u32 first = 0; // 0: none
    u32 node = 0;
  };

  u32 append(const Event* event, const Event* end, const Event& call, const KnownInvocation& known);
  const Node* sibling(const Node* first, const Event& event, const Event& call) const {
    const auto number = static_cast<u32>(first - nodes_.begin());
    const Sibling& known = siblings_[slot_of(number, event, call)];
    if (known.first != number)
      return nullptr;
    const Node& node = nodes_[known.node];
    return node.is(event, call) ? &node : nullptr;
  }
  static std::size_t slot_of(u32 first, const Event& event, const Event& call) {
    const u64 event_and_time = event.what * 0x9E3779B97F4A7C15u + event.time - call.time;
    return ((event_and_time + first) * 0x9E3779B97F4A7C15u) >> (64 - kSiblingBits);
  }

  static constexpr std::size_t kRoots = 256;
  static constexpr unsigned kSiblingBits = 12;
  Root& root_of(u64 opening) { return roots_[opening % kRoots]; }
  const Root& root_of(u64 opening) const { return roots_[opening % kRoots]; }

  Vector<Node> nodes_{"cilkshadow.summaries"}; // the first is unused
  Root roots_[kRoots];
  Sibling siblings_[1 << kSiblingBits];
};

} // namespace shadow
