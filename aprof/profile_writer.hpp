// Writes the profile in the format of docs/format-aprof.md, completely or not at all, to the path
// chosen by base/profile_file.hpp. Does not affect the measurement.
#pragma once

struct Options;

namespace aprof::profile_writer {

// Call before the client starts. Ends the run if the profile could not be written.
void start(const Options& options);

// Writes everything measured so far. Pending activations are included in the totals as unfinished,
// and continue. Returns the path, valid until the next call, or null if the profile could not be
// written anywhere.
const char* write(const char* reason);
const char* write_dump(const char* hint); // `hint` becomes part of the profile's reason
void write_before_exec();
void forget_exec();

} // namespace aprof::profile_writer
