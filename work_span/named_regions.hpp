// Regions that the program names (<valgrind/cilkshadow.h>), and what it has measured of itself
// (cilk/cilkscale.h): work, span and burdened span, summed by name.
//
// Owns the sums, for a thousand names. A region costs a search for its name at both of its ends.
#pragma once

#include "work_span/state/state.hpp"

namespace named_regions {

// What a thread has behind it, or what has been executed between two moments, with all that it
// waited for meanwhile. As a wsp_t of cilk/cilkscale.h has it in the program's memory.
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

// Of the running thread, all of whose work is accounted. A `name` is a string in the program's
// memory, as what it has measured is.
Extent so_far();
void begin(GuestAddr name);
void end(GuestAddr name);
void add(GuestAddr name, GuestAddr measured);

// In a forked child: nothing has been measured, and the regions that it is in begin here.
void restart();

const Vector<NamedRegion>& all();

} // namespace named_regions
