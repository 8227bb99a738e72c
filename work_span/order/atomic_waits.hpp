// Order by the program's std::atomics (GNU's headers): std::atomic::wait, loops that load one, and
// what C++ builds of them (cxx_objects.hpp).
//
// Who waited for an atomic comes after all changes of it since it was stored to, or begun. The
// library counts who waits; what a thread waited for is the atomic that it loaded last when the
// library counts one less.
//
// The events come from translated code (code/atomic_code.hpp). `bytes` is the size of the atomic at
// `address`. `has_frame` says that a routine which is not inlined accesses it, so that what lies in
// the routine's own frame is none.
#pragma once

#include "work_span/state/hooked_call.hpp"

namespace atomic_waits {

extern const shadow::Hook hooks[]; // up to one without a name

// Another value, by an instruction that also read the old one; by one that did not; a load.
void changed(GuestAddr address, u64 bytes, u64 before, u64 after);
void stored(GuestAddr address, u64 bytes, bool has_frame);
void loaded(GuestAddr address, u64 bytes, bool has_frame);
// The same of what belongs to an object of C++.
void barrier_stored(GuestAddr address, u64 bytes, bool has_frame);
void future_loaded(GuestAddr address, u64 bytes, bool has_frame);
void latch_loaded(GuestAddr address, u64 bytes, bool has_frame);

// The library's count of those who wait there, or at other atomics: one less when a wait ends.
void waiters_changed(GuestAddr address, u64 bytes, u64 before, u64 after);
// That, or a change of any atomic, as is known of the address.
void count_or_value_changed(GuestAddr address, u64 bytes, u64 before, u64 after);

// The running thread is about to wait in the kernel, or to yield: what it asked for is not there.
void yields();
// Whether the futex is the library's, of a wait that is known.
bool knows(GuestAddr futex);

u64 unseen(); // waits without a partner known
void forget_totals();

} // namespace atomic_waits
