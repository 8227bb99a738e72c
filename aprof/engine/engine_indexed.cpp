// The slow paths of accesses to indexed cells (indexed_cells.hpp).
#include "aprof/engine/engine.hpp"
#include "aprof/engine/engine_fast.hpp"

// Returns whether the chunk's cells are still indexed, and then have an entry for the present
// stamp. They become blocks if they are hot or have too many distinct timestamps.
bool Engine::stay_indexed(std::size_t number) {
  IndexedCells* cells = slots_[number].indexed();
  if (cells->accesses_until_hot == 0) {
    make_room();
    if (!shadow_.has_room())
      demote();
    // The cell may have been packed in the meantime.
    if (obtain_cells(number).ts != nullptr ||
        shadow_.promote(current_->ts, number, false).ts != nullptr)
      return false;
    cells = slots_[number].indexed();
  }
  if (add_entry(*cells))
    return true;
  if (!cells->has_room()) {
    cells->compact([this, writes = cells->writes, begun = std::size_t{0}](Timestamp time) mutable {
      begun = current_->stack.begun_by(time, begun);
      return u64{begun} << 32 | (writes == nullptr ? 0 : writes->count_until(time));
    });
    cells->accesses_until_hot -= std::min(cells->accesses_until_hot - 1, kAccessesToCompact);
    if (add_entry(*cells))
      return true;
  }
  shadow_.promote(current_->ts, number, true);
  return false;
}

[[gnu::noinline]] void Engine::read_indexed(std::size_t number, std::size_t first,
                                            std::size_t count) {
  took(SlowPath::indexed);
  if (!stay_indexed(number))
    return read_each(cells_in_blocks(number).from(first), count);
  IndexedCells& cells = *slots_[number].indexed();
  const IndexedCells* const writes = cells.writes;
  for (std::size_t i = first; i < first + count;) {
    const Timestamp before = cells.at(i);
    const Timestamp write = writes == nullptr ? Timestamp::never() : writes->at(i);
    const std::size_t begin = i;
    i = cells.run_at(i, first + count);
    if (writes != nullptr)
      i = writes->run_at(begin, i);
    if (before < write) {
      cells.set(begin, i - begin, cells.latest_index());
      count_induced_accesses(before, i - begin, write.is_kernel_write());
    } else if (before < top_ts_) {
      first_accesses(cells, begin, i - begin, before);
    }
  }
}

[[gnu::noinline]] void Engine::write_indexed(std::size_t number, std::size_t first,
                                             std::size_t count) {
  took(SlowPath::indexed);
  if (stay_indexed(number)) {
    IndexedCells& cells = *slots_[number].indexed();
    if (cells.writes == nullptr)
      return cells.set(first, count, cells.latest_index() + 1);
    cells.set(first, count, cells.latest_index());
    if (cells.writes->has_entry_of(slice_) || cells.writes->has_room())
      return cells.writes->set(first, count, cells.writes->latest_or_add(slice_));
    shadow_.promote(current_->ts, number, true);
  }
  Write::in_blocks(*this, cells_in_blocks(number).from(first), count);
}
