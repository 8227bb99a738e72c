// Writes what cilkshadow measured, in the format of docs/format-cilkshadow.md, to where
// base/profile_file.hpp says: whole or not at all.
#pragma once

#include "work_span/engine/work_span.hpp"

namespace cilkshadow::profile_writer {

void start();                          // checks that the profile can be written
const char* write(const char* reason); // its path; null: nowhere. Ends all measuring.
void write_before_exec();              // what was measured so far; see ProfileFile
void forget_exec();
const WorkSpan::Totals& totals(); // after write

} // namespace cilkshadow::profile_writer
