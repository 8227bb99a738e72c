// Happens-before order by the semaphores, barriers, latches and futures of C++ (GNU's headers),
// which threads wait for at the std::atomics in them.
//
//   counting_semaphore  the n-th acquire comes after the n-th release
//   barrier             a thread that leaves comes after all that arrived in the phase
//   latch               a thread that finds it 0 comes after all that counted it down
//   future              a thread that finds it ready comes after the one that made it ready
//
// code/atomic_code.hpp knows from an instruction's line which of them an atomic belongs to. `bytes`
// is the size of the atomic at `address`.
#pragma once

#include "base/types.hpp"
#include "work_span/order/atomic_values.hpp"

namespace cxx_objects {

// The atomic was changed by an instruction that also read it.
void semaphore_changed(GuestAddr address, u64 bytes, u64 before, u64 after);
void barrier_changed(GuestAddr address, u64 bytes, u64 before, u64 after);
void completing_barrier_changed(GuestAddr address, u64 bytes, u64 before, u64 after);
void future_changed(GuestAddr address, u64 bytes, u64 before, u64 after);

// It was changed by an instruction that did not read it.
void barrier_stored(GuestAddr address, u64 bytes);

// It was loaded.
void future_loaded(GuestAddr address, u64 bytes);
void latch_loaded(GuestAddr address, u64 bytes);

// If the running thread has arrived at a barrier, what comes after `all` also comes after all
// threads that arrived there.
void begin_phase(PathPoint& all);

u64 acquired(); // number of times a semaphore was acquired
u64 unseen();   // waits without a known partner
void forget_totals();

} // namespace cxx_objects
