// Receives the trace (trace/sink.hpp) for aprof-trms: passes it on to the engine, decides which
// activations are recorded (--toggle-collect, client requests), and writes it down (--trace-file).
// Owns the engine, the profile and the trace file, from start() to the end.
#pragma once

#include "base/types.hpp"

class Profile;
class TraceFile;
struct Options;

namespace collector {

extern Costs counters; // the clock (trace/clock.hpp)
extern Costs on_way_to_binder;

void start(const Options& options); // before the client starts
void finish();                      // all is measured
const Profile& complete_profile();  // adds what is only counted so far
TraceFile* trace();                 // null: none wanted
Costs uncounted();                  // what was executed in no activation

// Whether activations that begin from now on are recorded.
void collect(bool on);
bool is_collecting();

// Numbers start from zero. Pending activations began before, and will not be recorded.
void zero();
// In a forked child: numbers start from zero, and its events are none of its parent's trace.
void restart_in_child();

} // namespace collector
