// Writes the profile in the format of docs/format-aprof.md, to where base/profile_file.hpp says:
// whole or not at all. Measuring goes on as it was.
#pragma once

struct Options;

namespace aprof::profile_writer {

// Before the client starts: ends the run if no profile could be written.
void start(const Options& options);

// Writes what was measured so far; activations still pending enter the totals as unfinished, and
// go on. Returns the path, null if it could be written nowhere; valid until the next call.
const char* write(const char* reason);
const char* write_dump(const char* hint); // `hint` becomes part of the profile's reason
void write_before_exec();
void forget_exec();

} // namespace aprof::profile_writer
