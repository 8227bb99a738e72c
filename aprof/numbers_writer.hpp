// Writes the numbers of a profile, from its tables to its lines: docs/format-aprof.md, "Numbers".
// The profile is complete (collector.hpp); nothing changes in it.
#pragma once

#include "base/vector.hpp"
#include "trace/lines/line_counters.hpp"

class Engine;
class Profile;
class TextFile;

// `lines`: as LineCounters has them, if they are counted.
void write_numbers(TextFile& out, const Engine& engine, const Profile& profile,
                   const Vector<LineCounters::LineCost>& lines);
