// The helpers that translated code calls for memory accesses, a set for each size of a cell, with
// and without a trace file, and for iterations of loops. Owns the engine that they call.
#pragma once

#include "trace/instrument.hpp"

class Engine;
struct Loop;

// The engine of the run, made once options are known. It has static storage, so that helpers find
// its words at constant addresses.
extern char engine_storage[];
inline Engine& engine() { return *reinterpret_cast<Engine*>(engine_storage); }

struct ReadWriteHelpers {
  AccessHelpers read;
  AccessHelpers write;
  AccessHelpers modify;
};
// `traced`: each access is written down, too.
ReadWriteHelpers access_helpers(unsigned cell_shift, bool traced);

// At the header of a loop whose iterations are no mere count.
void event_iteration(Loop* loop);
// Where an iteration counts, if that is written down.
void event_traced_iteration(Loop* loop);
