// Shares of what the threads of a team divide: of a loop with a static schedule, by thread number;
// of one with a dynamic or guided schedule, in chunks; and of what the program divides by itself.
// The dag marks where a thread's share begins.
//
// The shares of one loop have a number in common. Its threads do not know it: each counts the loops
// that it has met since the team's last barrier. So all threads must report all loops, also those
// that they have no share of; a barrier brings those that did not back into step. Explicit tasks
// have no shares.
#pragma once

#include "work_span/dag/strands.hpp"

#include <algorithm>

namespace tasks {
struct Task;
}

namespace shares {

// All of a loop. `chunk`: the fewest iterations that are taken at once.
inline Share whole(u64 iterations, Schedule schedule, u64 chunk) {
  const u64 least = schedule == Schedule::by_number ? 0 : 1;
  return {.of = iterations,
          .iterations = iterations,
          .schedule = schedule,
          .chunk = static_cast<u32>(std::clamp(chunk, least, u64{~u32{0}}))};
}

// A loop that the library gives out, and how it counts: from `first`, by `step`. By number, a chunk
// of 0 is an equal share.
struct ChunkedLoop {
  Share share{}; // all of it; of 0: none, or it is not known
  u64 first = 0;
  u64 step = 1;
  bool is_rising = true;

  bool is_by_number() const { return share.of > 0 && !share.is_in_chunks(); }
  u64 iterations_before(u64 bound) const {
    const u64 distance = is_rising ? bound - first : first - bound;
    return distance / step + (distance % step != 0);
  }
};

// A loop that a thread is in, and how many chunks of it that has taken.
struct LoopProgress {
  ChunkedLoop loop;
  u32 taken = 0;
};

// The running thread meets a loop, and executes from..to of 0..of next; nothing if from >= to.
void begin_of_loop(u64 from, u64 to, u64 of, u64 iterations);
// The running thread meets a loop that the library gives out;
void begin_of_chunks(const ChunkedLoop& loop);
void next_chunk(u64 from, u64 to); // takes a chunk or its share, up to before `to`;
void end_of_chunks();              // finds no more, or leaves the loop
void end_of_loop();                // of its part of a loop that is divided by number
void forget_progress(tasks::Task& task);
// The running thread takes the chunk of that number, of one iteration, from a counter of the
// program's own (work_counters.hpp). `whole`: of its first chunk, a new one.
void begin_of_taken(Share& whole, u64 number);
// It waits for that chunk. Returns false if it did not begin here.
bool withdraw_taken(const Share& whole, u64 number);

// The program has asked for the number of threads in the team, or for that of the running one. From
// both it can compute a share, which begins with the second answer.
void team_size_is(u32 size);
void thread_number_is(u32 number);
// A program that has asked for both need not do so again after a barrier.
void begin_after_barrier();

} // namespace shares
