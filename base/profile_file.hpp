// The file of a tool's profile. It is written to the path that the user chose, to a path of its own
// in a forked child, and to numbered paths for dumps and before an exec. A profile that cannot be
// written there is not lost: it is written to a folder for temporary files, and a message says
// where.
#pragma once

#include "base/text_file.hpp"
#include "base/vector.hpp"

class ProfileFile {
public:
  // Writes the whole profile; `reason` says what it is written for.
  using Body = void (*)(TextFile& out, const char* reason);

  // `option` is the name of the command line option ("--aprof-out-file") and `pattern` its value,
  // in which %p and the like are expanded by VG_(expand_file_name).
  ProfileFile(const char* option, const char* pattern, Body body);

  // Ends the run with a message if the profile cannot be written to its path.
  void check_path();

  // Both return the path of the profile. If it could not be written anywhere, they print a message
  // and return null.
  const char* write(const char* reason);
  const char* write_dump(const char* hint); // to PATH.dump1, .dump2...

  // Writes to PATH.exec1..., because the new image may be profiled under the same pid. If the exec
  // fails, the file is removed again.
  void write_before_exec();
  void forget_exec();

private:
  Vector<char> expand() const;
  const char* write_to(const char* path, const char* reason) const;
  const char* write_somewhere(Vector<char> path, const char* reason);
  const char* write_numbered(const char* suffix, const char* reason);

  const char* option_;
  const char* pattern_;
  Body body_;
  int first_pid_ = 0; // of the process in which the tool was started
  Vector<char> first_path_{"base.profile_file.path"};
  Vector<char> written_{"base.profile_file.path"}; // path of the latest profile
  bool written_before_exec_ = false;
};
