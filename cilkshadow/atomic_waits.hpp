// What C++20 waits for - std::counting_semaphore, std::latch, std::barrier, std::atomic::wait -
// where the wait is a routine of its own, as GNU's headers compiled by g++ have it.
//
// A semaphore's waits are those of the C library's (thread_edges.hpp). Who waits for another atomic
// comes after all changes of it so far; who waits at a barrier, after all that wait there for the
// same phase, too: they have arrived.
//
// A change comes before the first wait there is known of. So the latest changes are kept, whatever
// they are of.
#pragma once

#include "cilkshadow/hooks.hpp"

namespace atomic_waits {

extern const shadow::Hooked hooks[]; // up to one without a name

// A std::atomic of `bytes` got another value, by an instruction that also read it,
void changed(GuestAddr address, u64 bytes, u64 before, u64 after);
// or by one that did not.
void stored(GuestAddr address, u64 bytes, u64 now);
u64 unseen(); // waits without a partner known
void forget_totals();

} // namespace atomic_waits
