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
    if (!a->accessed.insert(cell).second)
      break;
    first(a->result);
  }
  for (auto a = thread.pending.rbegin(); a != thread.pending.rend(); ++a) {
    if (!a->accessed_since_write.insert(cell).second)
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
    const auto rewritten = thread.rewritten.find(cell);
    access(
        thread, cell, [](Result& result) { result.rms++; }, [](Result& result) { result.trms++; });
    if (rewritten == thread.rewritten.end())
      return;
    for (Activation& activation : thread.pending)
      (rewritten->second == Writer::kernel ? activation.result.induced_by_kernel
                                           : activation.result.induced_by_thread)++;
    thread.rewritten.erase(rewritten);
  });
}

void Oracle::write(std::uint64_t address, std::uint64_t bytes) {
  Thread& thread = now();
  if (thread.suspended)
    return;
  for_cells(address, bytes, [&](Cell cell) {
    access(
        thread, cell, [](Result&) {}, [](Result&) {});
    thread.rewritten.erase(cell);
    last_writer_[cell] = Writer::thread;
    foreign_write(current_, cell, Writer::thread);
  });
}

void Oracle::foreign_write(int writer, Cell cell, Writer kind) {
  for (auto& [number, thread] : threads_) {
    if (number == writer)
      continue;
    for (Activation& activation : thread.pending)
      if (activation.accessed_since_write.erase(cell) == 0)
        break; // nor is it in a descendant's
    thread.rewritten[cell] = kind;
  }
}

void Oracle::kernel_write(std::uint64_t address, std::uint64_t bytes) {
  if (now().suspended)
    return;
  for_cells(address, bytes, [&](Cell cell) {
    last_writer_[cell] = Writer::kernel;
    foreign_write(-1, cell, Writer::kernel);
  });
}

void Oracle::forget(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t cell_bytes = std::uint64_t{1} << cell_shift_;
  const Cell first = (address + cell_bytes - 1) >> cell_shift_;
  const Cell last = (address + bytes) >> cell_shift_; // exclusive
  const auto erase = [&](auto& cells) {
    if (first < last)
      cells.erase(cells.lower_bound(first), cells.lower_bound(last));
  };
  erase(last_writer_);
  for (auto& [number, thread] : threads_) {
    erase(thread.rewritten);
    for (Activation& activation : thread.pending) {
      erase(activation.accessed);
      erase(activation.accessed_since_write);
    }
  }
}

void Oracle::move(std::uint64_t from, std::uint64_t to, std::uint64_t bytes) {
  forget(to, bytes);
  const Cell offset = (to >> cell_shift_) - (from >> cell_shift_);
  for_cells(from, bytes, [&](Cell cell) {
    if (const auto writer = last_writer_.find(cell); writer != last_writer_.end())
      last_writer_[cell + offset] = writer->second;
    for (auto& [number, thread] : threads_) {
      if (const auto found = thread.rewritten.find(cell); found != thread.rewritten.end())
        thread.rewritten[cell + offset] = found->second;
      for (Activation& activation : thread.pending) {
        if (activation.accessed.contains(cell))
          activation.accessed.insert(cell + offset);
        if (activation.accessed_since_write.contains(cell))
          activation.accessed_since_write.insert(cell + offset);
      }
    }
  });
}

void Oracle::start_thread(int thread) {
  // Everything written so far was written by others.
  threads_[thread].rewritten = last_writer_;
}
