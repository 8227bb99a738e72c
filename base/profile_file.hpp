// Where a tool's profile goes: to the path that the user wants, a path of its own in a forked
// child, numbered paths for dumps and before an exec. Rather than lose a profile that cannot be
// written there, it writes it to a folder for temporary files and says so.
#pragma once

#include "base/text_file.hpp"
#include "base/vector.hpp"

class ProfileFile {
public:
  // Writes the whole profile; `reason` is why it is written.
  using Body = void (*)(TextFile& out, const char* reason);

  // `option` is the command line option ("--aprof-out-file") whose value is `pattern`, in which %p
  // and the like stand for what VG_(expand_file_name) says.
  ProfileFile(const char* option, const char* pattern, Body body);

  // Ends the run with a message if the profile cannot be written there.
  void check_path();

  // Both return the path of the profile; null if it could be written nowhere, which a message says.
  const char* write(const char* reason);
  const char* write_dump(const char* hint); // to PATH.dump1, .dump2...

  // To PATH.exec1..., since the new image may be profiled under the same pid; a failed exec takes
  // it away again.
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
  int first_pid_ = 0; // of the process that the tool was started in
  Vector<char> first_path_{"base.profile_file.path"};
  Vector<char> written_{"base.profile_file.path"}; // where the last profile went
  bool written_before_exec_ = false;
};
