// Oracle for RMS and TRMS: executes the definitions with one set of memory cells per pending
// activation, as in Figure 10 of the aprof-trms paper. Slow and simple; independent of the engine.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

// A value for each cell, `Value{}` unless set. Neighbouring cells share a node of the map: a node
// for each, which AddressSanitizer makes dear, took most of the oracle's time.
template <typename Value> class CellMap {
public:
  using Cell = std::uint64_t;

  Value at(Cell cell) const {
    const auto block = blocks_.find(cell / kCells);
    return block == blocks_.end() ? Value{} : block->second[cell % kCells];
  }
  // Returns the value so far.
  Value exchange(Cell cell, Value value) {
    return std::exchange(blocks_[cell / kCells][cell % kCells], value);
  }
  // The same, with `Value{}`.
  Value take(Cell cell) {
    const auto block = blocks_.find(cell / kCells);
    return block == blocks_.end() ? Value{} : std::exchange(block->second[cell % kCells], Value{});
  }
  void clear(Cell first, Cell last) { // exclusive
    for (auto block = blocks_.lower_bound(first / kCells);
         block != blocks_.end() && block->first * kCells < last; ++block)
      for (Cell i = 0; i < kCells; i++)
        if (const Cell cell = block->first * kCells + i; first <= cell && cell < last)
          block->second[i] = Value{};
  }
  void copy(Cell from, Cell to) {
    if (const Value value = at(from); value != Value{})
      exchange(to, value);
  }

private:
  static constexpr Cell kCells = 64;
  std::map<Cell, std::array<Value, kCells>> blocks_;
};

class Oracle {
public:
  struct Result {
    std::int64_t rms = 0, trms = 0;
    std::int64_t induced_by_thread = 0, induced_by_kernel = 0;
    std::int64_t inclusive = 0, self = 0;
    bool operator==(const Result&) const = default;
  };
  using Cell = std::uint64_t;

  explicit Oracle(unsigned cell_shift) : cell_shift_(cell_shift) {}

  void start_thread(int thread);
  void end_thread(int thread) { threads_.erase(thread); }
  void switch_thread(int thread) { current_ = thread; }

  // The thread's pending activations end without returning; the thread continues.
  void cut_off(int thread) {
    threads_[thread].pending.clear();
    threads_[thread].suspended = false;
  }

  void call() { now().pending.emplace_back(); }
  Result return_from_top();
  std::size_t depth() { return now().pending.size(); }
  // The numbers so far of a pending activation; the outermost is 0.
  const Result& so_far(int thread, std::size_t i) { return threads_[thread].pending[i].result; }

  void cost(std::int64_t amount);
  void read(std::uint64_t address, std::uint64_t bytes);
  void write(std::uint64_t address, std::uint64_t bytes);
  void kernel_write(std::uint64_t address, std::uint64_t bytes);
  void forget(std::uint64_t address, std::uint64_t bytes); // whole cells only
  void move(std::uint64_t from, std::uint64_t to, std::uint64_t bytes);

  void suspend() { now().suspended = true; }
  void resume() { now().suspended = false; }
  bool suspended() { return now().suspended; }

protected:
  int current() const { return current_; }

private:
  enum class Writer : std::uint8_t { none, thread, kernel };
  struct Activation {
    CellMap<bool> accessed;             // for the RMS: only grows
    CellMap<bool> accessed_since_write; // L_{r,t}: a foreign write removes the cell
    Result result;
  };
  struct Thread {
    std::vector<Activation> pending;
    // Cells that another thread or the kernel has written since this thread's last access.
    CellMap<Writer> rewritten;
    bool suspended = false;
  };

  Thread& now() { return threads_[current_]; }
  template <typename F> void for_cells(std::uint64_t address, std::uint64_t bytes, F f) {
    for (Cell cell = address >> cell_shift_; cell <= (address + bytes - 1) >> cell_shift_; cell++)
      f(cell);
  }
  template <typename First, typename FirstSinceWrite>
  static void access(Thread& thread, Cell cell, First first, FirstSinceWrite first_since_write);
  void foreign_write(int writer, Cell cell, Writer kind);

  unsigned cell_shift_;
  int current_ = 0;
  std::map<int, Thread> threads_;
  CellMap<Writer> last_writer_; // for threads that start later
};
