// What C++ waits for by atomics: std::counting_semaphore, latch, barrier, atomic::wait and future,
// of GNU's headers.
//
// A semaphore's n-th acquire comes after its n-th release. Who waits at a barrier comes after all
// that arrived. Who waited for another atomic, or found a future ready, comes after all changes of
// it since it was stored to, or begun; what a thread waited for is what it loaded last when the
// library counts it no more.
//
// A change comes before the first wait there is known of. So the latest changes are kept, whatever
// they are of.
#pragma once

#include "work_span/state/hook.hpp"

namespace atomic_waits {

extern const shadow::Hook hooks[]; // up to one without a name

// A std::atomic of `bytes` at `address` got another value, by an instruction that also read it,
void changed(GuestAddr address, u64 bytes, u64 before, u64 after);
// which is a semaphore's,
void semaphore_changed(GuestAddr address, u64 bytes, u64 before, u64 after);
// a barrier's,
void barrier_changed(GuestAddr address, u64 bytes, u64 before, u64 after);
// a future's,
void future_changed(GuestAddr address, u64 bytes, u64 before, u64 after);
// or a barrier's with a completion.
void completing_barrier_changed(GuestAddr address, u64 bytes, u64 before, u64 after);

// It got one by an instruction that did not read it, or was loaded. `has_frame`: by a routine that
// is not inlined, whose own frame has no std::atomic.
void stored(GuestAddr address, u64 bytes, bool has_frame);
void barrier_stored(GuestAddr address, u64 bytes, bool has_frame);
void loaded(GuestAddr address, u64 bytes, bool has_frame);
// Of a std::future: not zero if that is ready.
void future_loaded(GuestAddr address, u64 bytes, bool has_frame);
// Of a std::latch: 0 if nobody has to wait there.
void latch_loaded(GuestAddr address, u64 bytes, bool has_frame);

// The library's number of those that wait there, or at others: one less when a wait ends.
void waiters_changed(GuestAddr address, u64 bytes, u64 before, u64 after);
// One of these or of the above, as is known of the address.
void something_changed(GuestAddr address, u64 bytes, u64 before, u64 after);
// The running thread is about to wait in the kernel, or to yield: what it asked for is not there.
void gives_way();
// Whether it is the library's, of a wait that is known.
bool knows(GuestAddr futex);
u64 unseen(); // waits without a partner known
void forget_totals();

} // namespace atomic_waits
