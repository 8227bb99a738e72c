// The sink of aprof-trms: receives the trace (trace/sink.hpp) and passes it on to the engine,
// decides which activations are recorded (--toggle-collect, client requests), and writes the trace
// file (--trace-file). Owns the engine, the profile and the trace file, from start() to the end.
#pragma once

#include "base/types.hpp"

class Profile;
class TraceFile;
struct Options;

namespace collector {

extern Costs counters; // the clock (trace/clock.hpp)
extern Costs on_way_to_binder;

void start(const Options& options); // call before the client starts
void finish();                      // no more is measured
const Profile& complete_profile();  // adds everything that was only counted so far
TraceFile* trace();                 // null: no --trace-file
Costs uncounted();                  // cost outside of all activations

// Whether activations that begin from now on are recorded.
void collect(bool on);
bool is_collecting();

// Resets all numbers to zero. Activations that are pending now are not recorded.
void zero();
// In a forked child: resets all numbers to zero, and stops writing to the parent's trace file.
void restart_in_child();

} // namespace collector
