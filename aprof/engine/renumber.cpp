// Renumbers the timestamps when the counter is used up (aprof-trms paper, §4.4, Figure 13), and
// packs idle memory (shadow_memory.hpp).
#include "aprof/cells/renumbering.hpp"
#include "aprof/engine/engine.hpp"

#include <algorithm>

Vector<u32> Engine::pending_timestamps() const {
  Vector<u32> timestamps("aprof.renumber.timestamps");
  for (const LogicalThread* thread : threads_)
    for (std::size_t i = 0; i < thread->stack.depth(); i++)
      timestamps.push_back(thread->stack[i].ts.value());
  if (threads_.size() > 1)
    std::sort(timestamps.begin(), timestamps.end());
  return timestamps;
}

[[gnu::noinline]] void Engine::pack_idle() {
  if (!shadow_.begin_packing(options_.clock->of[0] + options_.clock->of[1]))
    return;
  Vector<u32> pending = pending_timestamps();
  slice_ = now_;
  // The present instant, which includes the stamp of a kernelWrite just before, is an interval of
  // its own: more writes may still come in it.
  pending.push_back(now_.value());
  const Renumbering renumbering(Renumbering::Kind::in_place, pending, now_.next().value());
  for (Chunk* chunk : shadow_.live())
    shadow_.pack_idle(*chunk, renumbering);
  shadow_.set_limit();
  if (options_.check)
    check();
}

void Engine::demote() {
  Vector<u32> pending = pending_timestamps();
  slice_ = now_;
  pending.push_back(now_.value());
  shadow_.demote(Renumbering(Renumbering::Kind::in_place, pending, now_.next().value()));
}

void Engine::renumber() {
  const Vector<u32> pending = pending_timestamps();
  Renumbering renumbering(Renumbering::Kind::dense, pending, now_.next().value());
  for (Chunk* chunk : shadow_.live())
    shadow_.renumber(*chunk, renumbering);
  for (ShadowMemory::StampedRange& range : shadow_.stamped())
    range.stamp = renumbering.write(range.stamp);

  for (LogicalThread* thread : threads_)
    for (std::size_t i = 0; i < thread->stack.depth(); i++) {
      Timestamp& ts = thread->stack[i].ts;
      ts = renumbering.activation(ts);
    }
  now_ = slice_ = renumbering.end();
  top_ts_ = current_ == nullptr ? Timestamp() : current_->stack.top().ts;
  renumberings_++;
  renumber_at_ = kLastCounter;
  if (options_.counter_limit != 0 && 2 * options_.counter_limit < kLastCounter - now_.value())
    renumber_at_ = static_cast<u32>(now_.value() + 2 * options_.counter_limit);
  if (options_.check)
    check();
}
