// Counters from which threads take what they do next: `while ((i = next++) < n)`, the increment by
// an atomic instruction; and lists under a lock, by its acquisitions. Each item is a chunk of a
// loop with a dynamic schedule in the dag (shares.hpp), so that a scheduler need not leave it to
// the thread that took it in the run.
//
// Which counter is one of these (taken_items.hpp) shows only when it is set anew, or the run ends;
// so all of them are marked, and the profile has the marks of those that turn out to be loops.
//
// The latest counters are kept. A change costs O(1).
#pragma once

#include "work_span/dag/strands.hpp"

namespace work_counters {

// By the running thread, by an instruction that adds, and keeps the value that it found.
void taken(GuestAddr address, u64 bytes, u64 before, u64 after);

// The running thread has a lock, by a call that returns there, and its critical section is about to
// begin.
void acquired(GuestAddr lock, GuestAddr returned_to);
// It is about to wait at a condition, for which it releases the lock: it takes what it finds when
// it has the lock again.
void waits(GuestAddr lock);

// The results are about to be written: all shares so far are judged.
void judge();
// What a profile has of a share: nothing of one that is no loop's.
Share judged(const Share& share);

} // namespace work_counters
