// Happens-before order by the program's std::atomics (GNU's headers): std::atomic::wait, loops that
// load an atomic, and what C++ builds of atomics (cxx_objects.hpp).
//
// A thread that waited for an atomic comes after all changes of it since it was last stored to, or
// created. The library counts the waiting threads; a thread waited for the atomic that it loaded
// last before the library decrements that count.
//
// The events come from translated code (code/atomic_code.hpp). `bytes` is the size of the atomic at
// `address`. `has_frame` means that the access is made by a routine that is not inlined, so that
// addresses in that routine's own frame are no atomics.
#pragma once

#include "work_span/state/hooked_call.hpp"

namespace atomic_waits {

extern const shadow::Hook hooks[]; // up to one without a name

// The value was changed by an instruction that also read it, or by one that did not, or was loaded.
void changed(GuestAddr address, u64 bytes, u64 before, u64 after);
// The same by an instruction whose new value does not depend on what it reads or compares.
void exchanged(GuestAddr address, u64 bytes, u64 before, u64 after);
void stored(GuestAddr address, u64 bytes, bool has_frame);
void loaded(GuestAddr address, u64 bytes, bool has_frame);
// The same for atomics in an object of C++.
void barrier_stored(GuestAddr address, u64 bytes, bool has_frame);
void future_loaded(GuestAddr address, u64 bytes, bool has_frame);
void latch_loaded(GuestAddr address, u64 bytes, bool has_frame);

// The library's count of threads that wait at this atomic, or at others, has changed; it is
// decremented at the end of a wait.
void waiters_changed(GuestAddr address, u64 bytes, u64 before, u64 after);
// Either that, or a change of any atomic, whichever is known of the address.
void count_or_value_changed(GuestAddr address, u64 bytes, u64 before, u64 after);

// The running thread is about to wait in the kernel, or to yield, because its condition is not
// true.
void yields();
// Whether the futex is the library's, for a wait that is known.
bool knows(GuestAddr futex);

u64 unseen(); // waits without a known partner
void forget_totals();

} // namespace atomic_waits
