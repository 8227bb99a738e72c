// The helpers that translated code calls for memory accesses, one set for each cell size, with and
// without a trace file; and those for loops. Owns the engine that they call.
#pragma once

#include "trace/instrument.hpp"
#include "trace/loops/loop_events.hpp"

class Engine;

// The engine of the run, constructed once the options are known. It has static storage, so that
// helpers find its fields at constant addresses.
extern char engine_storage[];
inline Engine& engine() { return *reinterpret_cast<Engine*>(engine_storage); }

struct ReadWriteHelpers {
  AccessHelpers read;
  AccessHelpers write;
  AccessHelpers modify;
};
// `traced`: each access is also written to the trace.
ReadWriteHelpers access_helpers(unsigned cell_shift, bool traced);

// `traced`: each event of a loop is also written to the trace.
RunningLoop running_loop(bool traced);
