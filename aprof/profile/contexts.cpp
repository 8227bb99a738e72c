#include "aprof/profile/contexts.hpp"

#include <algorithm>

namespace {

u64 key_of(u32 high, RoutineId routine) { return u64{high} << 32 | index(routine); }

} // namespace

void ContextTree::add_tops(ThreadIndex thread) {
  if (index(thread) >= tops_.size())
    tops_.resize(index(thread) + 1);
  Tops& tops = tops_[index(thread)];
  for (Context** top : {&tops.ordinary, &tops.merged})
    *top = create<Context>("aprof.contexts.top", thread, nullptr, ++numbers_, RoutineId::none,
                           options_);
  tops.merged->merged = true;
}

[[gnu::noinline]] Context& ContextTree::find_or_add(Context& from, RoutineId routine) {
  const u64 key = key_of(from.number, routine);
  if (Context** known = callees_.find(key))
    return **known;
  Context& to = resolve(from, routine);
  if (callees_.find(key) == nullptr)
    callees_.insert(key, &to);
  return to;
}

Context& ContextTree::resolve(Context& from, RoutineId routine) {
  for (Context* on_path = &from; on_path != nullptr; on_path = on_path->parent)
    if (on_path->routine == routine)
      return *on_path;
  if (contexts_.size() < options_.max_contexts) // so no context is merged yet, including `from`
    return add(from, routine, false);
  Context& top = *tops_of(from.thread).merged;
  Context** known = callees_.find(key_of(top.number, routine));
  return known != nullptr ? **known : add(top, routine, true);
}

Context& ContextTree::add(Context& parent, RoutineId routine, bool merged) {
  auto* added = create<Context>("aprof.contexts.context", parent.thread, &parent, ++numbers_,
                                routine, options_);
  added->merged = merged;
  const u64 of_routine = key_of(index(parent.thread), routine);
  if (Context** first = first_of_.find(of_routine))
    added->representative = *first;
  else
    first_of_.insert(of_routine, added);
  callees_.insert(key_of(parent.number, routine), added);
  added->place = static_cast<u32>(contexts_.size());
  contexts_.push_back(added);
  return *added;
}

Vector<const Context*> ContextTree::by_routine() const {
  Vector<const Context*> sorted("aprof.contexts.sorted");
  sorted.reserve(contexts_.size());
  for (const Context* context : contexts_)
    sorted.push_back(context);
  std::sort(sorted.begin(), sorted.end(), [](const Context* a, const Context* b) {
    if (a->thread != b->thread)
      return a->thread < b->thread;
    return a->routine != b->routine ? a->routine < b->routine : a->number < b->number;
  });
  return sorted;
}

u64 ContextTree::merged_calls() const {
  u64 calls = 0;
  for (const Context* context : contexts_)
    calls += context->merged ? context->calls : 0;
  return calls;
}

void ContextTree::clear() {
  for (Context* context : contexts_)
    destroy(context);
  for (Tops& tops : tops_) {
    destroy(tops.ordinary);
    destroy(tops.merged);
  }
  contexts_.clear();
  tops_.clear();
  callees_.clear();
  first_of_.clear();
  numbers_ = 0;
}
