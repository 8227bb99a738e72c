// Receives the trace (trace/sink.hpp) for aprof-trms: passes it on to the engine, and decides
// which activations are recorded (--toggle-collect).
#pragma once

#include "base/types.hpp"

class Profile;
struct Options;

namespace collector {

extern Costs counters; // incremented by translated code

void start(const Options& options); // before the client starts
Profile& profile();

// A forked child starts from zero: its parent's numbers and pending activations are not its own.
void restart_in_child();

} // namespace collector
