// The helpers that translated code calls for memory accesses, one set for each cell size, with and
// without a trace file; and those for iterations of loops. Owns the engine that they call.
#pragma once

#include "trace/instrument.hpp"

class Engine;
struct Loop;

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

// At the header of a loop whose iterations are entries of the shadow stack.
void event_iteration(Loop* loop);
// Where an iteration is counted, if there is a trace file.
void event_traced_iteration(Loop* loop);
