// Writes the profile in the format of docs/format-aprof.md.
#pragma once

struct Options;

namespace profile_writer {

// Before the client starts: ends the run if no profile could be written.
void check_path(const Options& options);

// Writes what was measured so far; activations still pending enter the totals as unfinished, and
// go on. If the path cannot be written any more, another folder gets the file and the user is
// told. Returns the path, null if it could be written nowhere; valid until the next call.
const char* write(const Options& options, const char* reason);

} // namespace profile_writer
