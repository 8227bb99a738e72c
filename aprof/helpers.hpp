// What translated code calls for memory accesses, per cell size, and for iterations of loops.
#pragma once

#include "trace/instrument.hpp"

class Engine;

// The program's engine, made once options are known. It has static storage, so that translated
// code's helpers find its words at constant addresses.
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
