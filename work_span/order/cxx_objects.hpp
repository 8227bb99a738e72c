// Semaphores, barriers, latches and futures of C++ (GNU's headers): what threads wait for at the
// std::atomics in them.
//
//   counting_semaphore  the n-th acquire comes after the n-th release
//   barrier             who leaves comes after all who arrived in the phase
//   latch               who finds it 0 comes after all who counted it down
//   future              who finds it ready comes after who made it ready
//
// code/atomic_code.hpp tells by an instruction's line which of them an atomic belongs to. `bytes`
// is the size of the atomic at `address`.
#pragma once

#include "base/types.hpp"
#include "work_span/order/atomic_values.hpp"

namespace cxx_objects {

// The atomic got another value, by an instruction that also read it.
void semaphore_changed(GuestAddr address, u64 bytes, u64 before, u64 after);
void barrier_changed(GuestAddr address, u64 bytes, u64 before, u64 after);
void completing_barrier_changed(GuestAddr address, u64 bytes, u64 before, u64 after);
void future_changed(GuestAddr address, u64 bytes, u64 before, u64 after);

// It got one by an instruction that did not read it.
void barrier_stored(GuestAddr address, u64 bytes);

// It was loaded.
void future_loaded(GuestAddr address, u64 bytes);
void latch_loaded(GuestAddr address, u64 bytes);

// If the running thread has arrived at a barrier, what comes after `all` also comes after all who
// arrived there.
void begin_phase(PathPoint& all);

u64 acquired(); // semaphores, so often
u64 unseen();   // waits without a partner known
void forget_totals();

} // namespace cxx_objects
