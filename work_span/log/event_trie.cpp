#include "work_span/log/event_trie.hpp"

namespace shadow {

using event_log::Kind;

EventTrie::Node::Node(const Event& event, const Event& call)
    : what(event.what), time(static_cast<u32>(event.time - call.time)),
      sp(static_cast<int>(event.sp - call.sp)), target(event.is_return() ? event.target : 0) {}

u32 EventTrie::append(const Event* event, const Event* end, const Event& call,
                      const KnownInvocation& known) {
  const auto first = static_cast<u32>(nodes_.size());
  for (; event != end; event++)
    nodes_.push_back(Node(*event, call));
  nodes_.back().ended = &known;
  return first;
}

void EventTrie::add(u64 opening, const Event* call, const Event* end,
                    const KnownInvocation& known) {
  const auto events = static_cast<std::size_t>(end - call);
  if (events > kMostEvents)
    return;
  for (const Event* event = call; event != end; event++)
    if (event->kind() == Kind::jump_within || !Node(*event, *call).is(*event, *call))
      return;
  if (nodes_.size() + events > kMostNodes)
    forget();
  if (nodes_.empty())
    nodes_.push_back({});
  Root& root = root_of(opening);
  if (root.opening != opening || root.node == 0) {
    root = {opening, append(call, end, *call, known)};
    return;
  }
  const Node* node = &nodes_[root.node];
  for (const Event* event = call; event != end; event++, node++) {
    if (node->is(*event, *call))
      continue;
    const Node* const first = node;
    node = sibling(first, *event, *call);
    if (node == nullptr) {
      const auto number = static_cast<u32>(first - nodes_.begin());
      siblings_[slot_of(number, *event, *call)] = {number, append(event, end, *call, known)};
      return;
    }
  }
  nodes_[static_cast<std::size_t>(node - 1 - nodes_.begin())].ended = &known;
}

void EventTrie::forget() {
  nodes_.clear();
  for (Root& root : roots_)
    root = {};
  for (Sibling& sibling : siblings_)
    sibling = {};
}

} // namespace shadow
