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

// The same before an exec, to a name of its own, PATH.execN: the new image may be profiled, too,
// under the same process id. Should the exec fail, the file is removed again.
void write_before_exec(const Options& options);
void forget_exec();

// The same on request, to PATH.dumpN; `hint` becomes part of the profile's reason.
const char* write_dump(const Options& options, const char* hint);

} // namespace profile_writer
