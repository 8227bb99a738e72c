// Writes the numbers of a profile: docs/format-aprof.md, "Numbers". The profile must be complete
// (collector.hpp), and is not changed.
#pragma once

#include "base/vector.hpp"
#include "trace/lines/line_counters.hpp"

class Engine;
class Profile;
class TextFile;

// `lines`: from LineCounters, if lines are counted.
void write_numbers(TextFile& out, const Engine& engine, const Profile& profile,
                   const Vector<LineCounters::LineCost>& lines);
