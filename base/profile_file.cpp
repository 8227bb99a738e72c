#include "base/profile_file.hpp"

#include "base/valgrind.hpp"

#include <utility>

namespace {

Vector<char> formatted(const char* format, const char* a, const char* b) {
  Vector<char> text("base.profile_file.path");
  text.resize(VG_(strlen)(format) + VG_(strlen)(a) + VG_(strlen)(b));
  VG_(sprintf)(text.begin(), format, a, b);
  return text;
}

bool exists(const char* path) {
  struct vg_stat unused;
  return !sr_isError(VG_(stat)(path, &unused));
}

// Returns a path in `folder` where no file exists yet.
Vector<char> untaken(const char* folder, const char* name) {
  Vector<char> path = formatted("%s/%s", folder, name);
  char suffix[16];
  for (unsigned n = 2; exists(path.begin()); n++) {
    VG_(sprintf)(suffix, ".%u", n);
    path = formatted("%s%s", formatted("%s/%s", folder, name).begin(), suffix);
  }
  return path;
}

} // namespace

ProfileFile::ProfileFile(const char* option, const char* pattern, Body body)
    : option_(option), pattern_(pattern), body_(body) {}

// %p already differs in a forked child. If the pattern has no %p, the child appends its process id,
// so that it does not overwrite its parent's profile.
Vector<char> ProfileFile::expand() const {
  char* expanded = VG_(expand_file_name)(option_, pattern_);
  char suffix[16] = "";
  if (!first_path_.empty() && VG_(getpid)() != first_pid_ &&
      VG_(strcmp)(expanded, first_path_.begin()) == 0 && !TextFile::written_in_place(expanded))
    VG_(sprintf)(suffix, ".%d", VG_(getpid)());
  Vector<char> path = formatted("%s%s", expanded, suffix);
  VG_(free)(expanded);
  return path;
}

// Returns null on success, otherwise why the file could not be written.
const char* ProfileFile::write_to(const char* path, const char* reason) const {
  TextFile out;
  if (!out.open(path))
    return out.why();
  body_(out, reason);
  return out.finish() ? nullptr : out.why();
}

void ProfileFile::check_path() {
  first_path_ = expand();
  first_pid_ = VG_(getpid)();
  TextFile probe; // the destructor removes it
  if (!probe.open(first_path_.begin())) {
    VG_(umsg)("cannot write the profile to '%s': %s.\n", first_path_.begin(), probe.why());
    VG_(umsg)("Choose another file with %s=<file>.\n", option_);
    VG_(exit)(1);
  }
}

// Writes to `path`, or to a folder for temporary files if that fails.
const char* ProfileFile::write_somewhere(Vector<char> path, const char* reason) {
  written_ = std::move(path);
  const char* why = write_to(written_.begin(), reason);
  if (why == nullptr)
    return written_.begin();
  const char* why_elsewhere = why;
  for (const char* folder : {VG_(tmpdir)(), "/tmp", "/var/tmp", "/dev/shm"}) {
    Vector<char> elsewhere = untaken(folder, VG_(basename)(written_.begin()));
    why_elsewhere = write_to(elsewhere.begin(), reason);
    if (why_elsewhere != nullptr)
      continue;
    VG_(umsg)
    ("could not write '%s': %s. The profile is in '%s' instead.\n", written_.begin(), why,
     elsewhere.begin());
    written_ = std::move(elsewhere);
    return written_.begin();
  }
  VG_(umsg)
  ("could not write the profile to '%s': %s; nor to $TMPDIR or another folder for temporary "
   "files: %s. What was measured is lost.\n",
   written_.begin(), why, why_elsewhere);
  return nullptr;
}

// Writes to the path with `suffix` and the first number for which no file exists yet.
const char* ProfileFile::write_numbered(const char* suffix, const char* reason) {
  const Vector<char> path = expand();
  char number[32];
  for (unsigned n = 1;; n++) {
    VG_(sprintf)(number, "%s%u", suffix, n);
    Vector<char> candidate = formatted("%s%s", path.begin(), number);
    if (!exists(candidate.begin()))
      return write_somewhere(std::move(candidate), reason);
  }
}

const char* ProfileFile::write(const char* reason) { return write_somewhere(expand(), reason); }

void ProfileFile::write_before_exec() {
  written_before_exec_ = write_numbered(".exec", "exec") != nullptr;
}

const char* ProfileFile::write_dump(const char* hint) {
  return write_numbered(".dump", formatted("dump%s%s", *hint == 0 ? "" : " ", hint).begin());
}

void ProfileFile::forget_exec() {
  if (written_before_exec_)
    VG_(unlink)(written_.begin());
  written_before_exec_ = false;
}
