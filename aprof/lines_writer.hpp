// Writes the self cost of source lines: docs/format-aprof.md, "Lines".
//
// Guarantees that the lines of a routine add up to its self cost: what has no line is one line of
// its own, and so is all of a routine that the lines of its code exceed, because other routines
// jumped into the middle of it.
#pragma once

#include "base/vector.hpp"
#include "trace/lines/line_counters.hpp"

class Snapshot;
class TextFile;
struct ProfileOptions;

// `costs` as LineCounters has them.
void write_lines(TextFile& out, Snapshot& snapshot, const ProfileOptions& options,
                 const Vector<LineCounters::LineCost>& costs);
