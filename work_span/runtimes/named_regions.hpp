// Regions of interest that the program has named (<valgrind/cilkshadow.h>), and its own
// measurements (cilk/cilkscale.h): work, span and burdened span, summed by name.
//
// Owns the sums, for up to a thousand names. A region costs a linear search for its name where it
// begins and where it ends. A region ends in the function and the task that began it; if it does
// not, it is counted as an unmatched marker and has no numbers.
#pragma once

#include "work_span/state/state.hpp"

namespace named_regions {

struct NamedRegion {
  const char* name;
  u64 count = 0; // executions
  shadow::Extent sum{};
};

// For the running thread, all of whose work must be accounted. `name` is the address of a string,
// `measured` that of a wsp_t, in the program's memory. Unreadable addresses and negative numbers
// are refused, and counted.
shadow::Extent so_far();
void begin(GuestAddr name);
void end(GuestAddr name);
void add(GuestAddr name, GuestAddr measured);

// The thread's top frame returns, its task ends, or all of its frames end: regions that began there
// have no end.
void before_return(shadow::Thread& thread);
void before_end_of_task(shadow::Thread& thread);
void before_end(shadow::Thread& thread);

// In a forked child: resets the sums; open regions begin here.
void restart();

const Vector<NamedRegion>& all();
u64 still_open(); // they have begun in this process

} // namespace named_regions
