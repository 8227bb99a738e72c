// Prints cilkshadow's message at the end of a run: work, span and parallelism, the notes that are
// warnings (work_span/notes.hpp), and the command to type next.
#pragma once

namespace cilkshadow::end_message {

void print(const char* profile_path); // call after the profile was written

} // namespace cilkshadow::end_message
