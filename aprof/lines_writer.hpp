// Writes the self cost of source lines: docs/format-aprof.md, "Lines".
//
// Guarantees that the lines of a routine add up to its self cost. Cost without a line is written as
// one line of its own. So is all of a routine's cost if the sum over its lines exceeds it, because
// other routines jumped into the middle of its code.
#pragma once

#include "base/vector.hpp"
#include "trace/lines/line_counters.hpp"

class Snapshot;
class TextFile;
struct ProfileOptions;

// `costs`: from LineCounters.
void write_lines(TextFile& out, Snapshot& snapshot, const ProfileOptions& options,
                 const Vector<LineCounters::LineCost>& costs);
