// Regions of interest that the program has named (<valgrind/cilkshadow.h>), and its own
// measurements (cilk/cilkscale.h): work, span and burdened span, summed by name.
//
// Owns the sums, for up to a thousand names. A region costs a linear search for its name where it
// begins and where it ends.
#pragma once

#include "work_span/state/state.hpp"

namespace named_regions {

// The lengths of a thread's path so far, or their growth between two moments, including everything
// that the thread waited for. Has the layout of wsp_t (cilk/cilkscale.h) in the program's memory.
struct Extent {
  Work work = 0;
  Span span = 0;
  Span burdened = 0;
};

struct NamedRegion {
  const char* name;
  u64 count = 0; // executions
  Extent sum{};
};

// For the running thread, all of whose work must be accounted. `name` is the address of a string,
// `measured` that of a wsp_t, in the program's memory.
Extent so_far();
void begin(GuestAddr name);
void end(GuestAddr name);
void add(GuestAddr name, GuestAddr measured);

// In a forked child: resets the sums; open regions begin here.
void restart();

const Vector<NamedRegion>& all();

} // namespace named_regions
