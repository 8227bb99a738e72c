// Writes the event trace of a run as the engine receives it (--trace-file=), for tests: the trace
// is replayed through the oracle of Figure 10, and the profiles must be equal.
//
// Format: a line of text, "aprof-trms-trace 1 CELL_SHIFT", then records. A record is one byte for
// the event, followed by its operands as unsigned LEB128 numbers, in the order of the comments
// below.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

struct Loop;

enum class TraceEvent : u8 {
  cost,          // amount of the first cost event since the last record of this kind
  start_thread,  // logical thread, client thread
  end_thread,    // logical thread
  switch_thread, // logical thread
  cut_off,       // logical thread
  call,          // routine, whether it is collected
  return_,
  suspend,
  resume,
  read,         // address, bytes
  write,        // address, bytes
  kernel_read,  // address, bytes
  kernel_write, // address, bytes
  map_external, // address, bytes
  forget,       // address, bytes
  move,         // from, to, bytes
  uncounted,    // amount of cost that is not in the clock: the way to the binder
  drop_pending, // numbers are reset to zero, pending activations are not collected
  // Loops, as in trace/sink.hpp:
  loop_is,        // declares a loop: loop, routine, the loop around it or 0, whether it is a leaf
  loop,           // loop: control is at its header
  in_loop,        // loop or 0, routine
  loop_iteration, // loop: an iteration is counted
};

// The file is opened only to append a full buffer, so that the client never sees the tool's file
// descriptor, and a forked child can leave its parent's file alone.
class TraceFile {
public:
  // `clock` counts the cost event that the trace records. The run ends with a message if the file
  // cannot be written.
  TraceFile(const char* path, unsigned cell_shift, const u64& clock);

  template <typename... Operands> void put(TraceEvent event, Operands... operands) {
    if (clock_ != last_clock_) {
      put_event(TraceEvent::cost);
      put_number(clock_ - last_clock_);
      last_clock_ = clock_;
    }
    put_event(event);
    (put_number(operands), ...);
    if (buffer_.size() >= kBufferBytes)
      flush();
  }
  // Declares the loop and those around it, outermost first; does nothing if it is null.
  void put_loops(const Loop* innermost);
  void flush();

private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

  void append(int flags);
  void put_event(TraceEvent event) { buffer_.push_back(static_cast<u8>(event)); }
  void put_number(u64 number) {
    for (; number >= 0x80; number >>= 7)
      buffer_.push_back(static_cast<u8>(number | 0x80));
    buffer_.push_back(static_cast<u8>(number));
  }

  const char* path_;
  const u64& clock_;
  u64 last_clock_ = 0;
  Vector<u8> buffer_{"aprof.trace.buffer"};
};
