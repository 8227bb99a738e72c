#include "work_span/log/event_trie.hpp"

using event_log::Kind;

EventTrie::Step::Step(const Event& event, const Event& call)
    : what(event.what), time(static_cast<u32>(event.time - call.time)),
      sp(static_cast<int>(event.sp - call.sp)), target(event.is_return() ? event.target : 0) {}

u32 EventTrie::append(const Event* event, const Event* end, const Event& call,
                      const Summary& summary) {
  const auto first = static_cast<u32>(steps_.size());
  for (; event != end; event++)
    steps_.push_back(Step(*event, call));
  steps_.back().summary = &summary;
  return first;
}

void EventTrie::add(const Event* call, const Event* end, const Summary& summary) {
  const auto events = static_cast<std::size_t>(end - call);
  if (events > kMostEvents)
    return;
  for (const Event* event = call; event != end; event++)
    if (event->kind() == Kind::jump_within || !Step(*event, *call).is(*event, *call))
      return;
  if (steps_.size() + events > kMostSteps)
    forget();
  if (steps_.empty())
    steps_.push_back({});
  Root& root = root_of(summary.key[0]);
  if (root.first_word != summary.key[0] || root.step == 0) {
    root = {summary.key[0], append(call, end, *call, summary)};
    return;
  }
  const Step* step = &steps_[root.step];
  for (const Event* event = call; event != end; event++, step++) {
    if (step->is(*event, *call))
      continue;
    const Step* const first = step;
    step = other(first, *event, *call);
    if (step == nullptr) {
      const auto instead_of = static_cast<u32>(first - steps_.begin());
      others_[place(instead_of, *event, *call)] = {instead_of, append(event, end, *call, summary)};
      return;
    }
  }
  steps_[static_cast<std::size_t>(step - 1 - steps_.begin())].summary = &summary;
}

void EventTrie::forget() {
  steps_.clear();
  for (Root& root : roots_)
    root = {};
  for (Other& other : others_)
    other = {};
}
