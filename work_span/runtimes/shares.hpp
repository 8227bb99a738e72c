// Shares of what a team divides by thread number: of a loop with a static schedule, and of what the
// program divides by itself. The dag marks where a thread's share begins.
//
// The shares of one loop have a number in common. Its threads do not know it: each counts the loops
// that it has met since the team's last barrier. So all threads must report all loops, also those
// that they have no share of; a barrier brings those that did not back into step. Explicit tasks
// have no shares.
#pragma once

#include "base/types.hpp"

namespace shares {

// The running thread meets a loop, and executes from..to of 0..of next; nothing if from >= to.
void begin_of_loop(u64 from, u64 to, u64 of, u64 iterations);
void end_of_loop(); // of its part of the loop

// The program has asked for the number of threads in the team, or for that of the running one. From
// both it can compute a share, which begins with the second answer.
void team_size_is(u32 size);
void thread_number_is(u32 number);
// A program that has asked for both need not do so again after a barrier.
void begin_after_barrier();

} // namespace shares
