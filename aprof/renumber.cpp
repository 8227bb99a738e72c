// Renumbering of the timestamps when the counter is used up (aprof-trms paper, §4.4, Figure 13).
//
// Only comparisons of a cell's ts_t, its wts and activations' timestamps ever matter, so every
// timestamp is replaced by one that tells between which two pending activations it lies, and how
// a cell's ts_t stands to its wts there. A rank r takes the six values base(r)..base(r)+5:
//
//     base + 0  an activation's own timestamp; ts_t before wts, or wts in another rank
//     base + 2  wts of a thread's write, and ts_t equal to it
//     base + 3  wts of a kernel's write (odd, as everywhere)
//     base + 4  ts_t after wts
//
// where the figure uses three: the two others keep the kernel's writes apart. "Never" stays 0.
#include "aprof/engine.hpp"

#include <algorithm>

namespace {

class Ranks {
public:
  explicit Ranks(Vector<u32>& active) : active_(active) {}

  // How many activations had begun at `ts`. Neighbouring cells tend to share a timestamp.
  u32 of(Timestamp ts) {
    if (ts.value() != last_) {
      last_ = ts.value();
      const u32* after = std::upper_bound(active_.begin(), active_.end(), last_);
      rank_ = static_cast<u32>(after - active_.begin());
    }
    return rank_;
  }

private:
  const Vector<u32>& active_;
  u32 last_ = 0;
  u32 rank_ = 0;
};

constexpr u32 base(u32 rank) { return 2 + 6 * rank; }

Timestamp renumbered_write(Ranks& ranks, Timestamp wts) {
  if (wts.is_never())
    return wts;
  return Timestamp(base(ranks.of(wts)) + (wts.is_kernel_write() ? 3 : 2));
}

// In an exclusive chunk: nothing but the rank matters.
Timestamp renumbered_alone(Ranks& ranks, Timestamp ts) {
  return ts.is_never() ? ts : Timestamp(base(ranks.of(ts.plain()))).flagged_as(ts);
}

Timestamp renumbered_access(Ranks& ranks, Ranks& write_ranks, Timestamp ts, Timestamp wts) {
  if (ts.is_never())
    return ts;
  const u32 rank = ranks.of(ts);
  if (wts.is_never() || write_ranks.of(wts) != rank || ts < wts)
    return Timestamp(base(rank));
  return Timestamp(base(rank) + (ts == wts ? 2 : 4));
}

} // namespace

void Engine::renumber() {
  Vector<u32> active("aprof.renumber.active");
  for (const LogicalThread* thread : threads_)
    for (std::size_t i = 0; i < thread->stack.depth(); i++)
      active.push_back(thread->stack[i].ts.value());
  std::sort(active.begin(), active.end());
  Ranks ranks(active);
  Ranks write_ranks(active);

  for (const Chunk* chunk : shadow_.live()) {
    for (const Accesses* known = chunk->accesses; known != nullptr; known = known->next)
      for (std::size_t cell = 0; cell < shadow_.cells_per_chunk(); cell++)
        known->ts[cell] =
            chunk->is_exclusive()
                ? renumbered_alone(ranks, known->ts[cell])
                : renumbered_access(ranks, write_ranks, known->ts[cell], chunk->wts[cell]);
    for (std::size_t cell = 0; !chunk->is_exclusive() && cell < shadow_.cells_per_chunk(); cell++)
      chunk->wts[cell] = renumbered_write(ranks, chunk->wts[cell]);
  }
  for (ShadowMemory::StampedRange& range : shadow_.stamped())
    range.stamp = renumbered_write(ranks, range.stamp);

  for (LogicalThread* thread : threads_)
    for (std::size_t i = 0; i < thread->stack.depth(); i++) {
      Timestamp& ts = thread->stack[i].ts;
      ts = Timestamp(base(ranks.of(ts)));
    }
  now_ = Timestamp(base(static_cast<u32>(active.size()) + 1));
  top_ts_ = current_ == nullptr ? Timestamp() : current_->stack.top().ts;
  renumberings_++;
  renumber_at_ = kLastCounter;
  if (options_.counter_limit != 0 && 2 * options_.counter_limit < kLastCounter - now_.value())
    renumber_at_ = static_cast<u32>(now_.value() + 2 * options_.counter_limit);
  if (options_.check)
    check();
}
