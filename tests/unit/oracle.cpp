#include "oracle.hpp"

Oracle::Result Oracle::return_from_top() {
  Thread& thread = now();
  const Result result = thread.pending.back().result;
  thread.pending.pop_back();
  return result;
}

void Oracle::cost(std::int64_t amount) {
  Thread& thread = now();
  if (thread.suspended || thread.pending.empty())
    return;
  for (Activation& activation : thread.pending)
    activation.result.inclusive += amount;
  thread.pending.back().result.self += amount;
}

// Adds the cell to the sets of all pending activations, innermost first, and reports which did not
// contain it. An activation's sets contain those of its descendants, so the first set that has the
// cell ends the search.
template <typename First, typename FirstSinceWrite>
void Oracle::access(Thread& thread, Cell cell, First first, FirstSinceWrite first_since_write) {
  for (auto a = thread.pending.rbegin(); a != thread.pending.rend(); ++a) {
    if (a->accessed.exchange(cell, true))
      break;
    first(a->result);
  }
  for (auto a = thread.pending.rbegin(); a != thread.pending.rend(); ++a) {
    if (a->accessed_since_write.exchange(cell, true))
      break;
    first_since_write(a->result);
  }
}

void Oracle::read(std::uint64_t address, std::uint64_t bytes) {
  Thread& thread = now();
  if (thread.suspended)
    return;
  for_cells(address, bytes, [&](Cell cell) {
    // Induced: since the latest write by another, this thread has not accessed the cell.
    const Writer rewritten = thread.rewritten.take(cell);
    access(
        thread, cell, [](Result& result) { result.rms++; }, [](Result& result) { result.trms++; });
    if (rewritten == Writer::none)
      return;
    for (Activation& activation : thread.pending)
      (rewritten == Writer::kernel ? activation.result.induced_by_kernel
                                   : activation.result.induced_by_thread)++;
  });
}

void Oracle::write(std::uint64_t address, std::uint64_t bytes) {
  Thread& thread = now();
  if (thread.suspended)
    return;
  for_cells(address, bytes, [&](Cell cell) {
    access(
        thread, cell, [](Result&) {}, [](Result&) {});
    thread.rewritten.take(cell);
    last_writer_.exchange(cell, Writer::thread);
    foreign_write(current_, cell, Writer::thread);
  });
}

void Oracle::foreign_write(int writer, Cell cell, Writer kind) {
  for (auto& [number, thread] : threads_) {
    if (number == writer)
      continue;
    for (Activation& activation : thread.pending)
      if (!activation.accessed_since_write.take(cell))
        break; // nor is it in a descendant's
    thread.rewritten.exchange(cell, kind);
  }
}

void Oracle::kernel_write(std::uint64_t address, std::uint64_t bytes) {
  if (now().suspended)
    return;
  for_cells(address, bytes, [&](Cell cell) {
    last_writer_.exchange(cell, Writer::kernel);
    foreign_write(-1, cell, Writer::kernel);
  });
}

void Oracle::forget(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t cell_bytes = std::uint64_t{1} << cell_shift_;
  const Cell first = (address + cell_bytes - 1) >> cell_shift_;
  const Cell last = (address + bytes) >> cell_shift_; // exclusive
  last_writer_.clear(first, last);
  for (auto& [number, thread] : threads_) {
    thread.rewritten.clear(first, last);
    for (Activation& activation : thread.pending) {
      activation.accessed.clear(first, last);
      activation.accessed_since_write.clear(first, last);
    }
  }
}

void Oracle::move(std::uint64_t from, std::uint64_t to, std::uint64_t bytes) {
  forget(to, bytes);
  const Cell offset = (to >> cell_shift_) - (from >> cell_shift_);
  for_cells(from, bytes, [&](Cell cell) {
    last_writer_.copy(cell, cell + offset);
    for (auto& [number, thread] : threads_) {
      thread.rewritten.copy(cell, cell + offset);
      for (Activation& activation : thread.pending) {
        activation.accessed.copy(cell, cell + offset);
        activation.accessed_since_write.copy(cell, cell + offset);
      }
    }
  });
}

void Oracle::start_thread(int thread) {
  // Everything written so far was written by others.
  threads_[thread].rewritten = last_writer_;
}
