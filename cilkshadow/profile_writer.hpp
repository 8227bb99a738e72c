// Writes the profile in the format of docs/format-cilkshadow.md, completely or not at all, to the
// path chosen by base/profile_file.hpp.
#pragma once

#include "trace/nameless_cost.hpp"
#include "work_span/engine/work_span.hpp"

namespace cilkshadow::profile_writer {

void start(); // checks that the profile can be written
const char*
write(const char* reason); // ends measuring; returns the path, or null if it could not be written
void write_before_exec();  // writes what was measured so far; see ProfileFile
void forget_exec();
// Call these after write.
const WorkSpan::Totals& totals();
void add_work(NamelessCost& nameless); // of each routine itself

} // namespace cilkshadow::profile_writer
