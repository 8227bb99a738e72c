#include "trace/profile_records.hpp"

#include "base/printable.hpp"
#include "base/valgrind.hpp"
#include "trace/call_events.hpp"
#include "trace/loops/loop_source.hpp"

extern "C" {
#include "pub_tool_xarray.h"
}

namespace profile_records {
namespace {

void put_command(TextFile& out) {
  out << "command ";
  out.put_escaped(shell_word(VG_(args_the_exename)).begin());
  for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_client)); i++) {
    const HChar* argument = *static_cast<HChar**>(VG_(indexXA)(VG_(args_for_client), i));
    out << ' ';
    out.put_escaped(shell_word(argument).begin());
  }
  out.end_line();
}

// Host and user tell readers whether the profile's files are on their machine. The parent process
// tells which profiles belong to one run.
void put_origin(TextFile& out) {
  HChar host[256];
  const Int file = VG_(fd_open)("/proc/sys/kernel/hostname", VKI_O_RDONLY, 0);
  const Int length = file < 0 ? 0 : VG_(read)(file, host, sizeof host - 1);
  if (file >= 0)
    VG_(close)(file);
  if (length > 1) {
    host[length - 1] = 0; // replaces the newline
    text_line(out, "option host", host);
  }
  out << "option user " << static_cast<u64>(VG_(geteuid)()) << '\n';
  out << "option parent " << static_cast<u64>(VG_(getppid)()) << '\n';
}

void put_name(TextFile& out, const char* keyword, u32 id, const char* text) {
  out << keyword << ' ' << id << ' ';
  out.put_escaped(text);
  out.end_line();
}

} // namespace

void text_line(TextFile& out, const char* keyword, const char* text) {
  out << keyword << ' ';
  out.put_escaped(text);
  out.end_line();
}

void put_run(TextFile& out, const char* creator, const char* valgrind, const char* reason) {
  text_line(out, "creator", creator);
  text_line(out, "valgrind", valgrind);
  put_command(out);
  out << "pid " << static_cast<u64>(VG_(getpid)()) << '\n';
  text_line(out, "reason", reason);
  put_origin(out);
}

void put_end(TextFile& out) {
  const u64 lines = out.lines();
  const u32 checksum = out.adler32();
  out << "end " << lines << ' ';
  out.put_hexadecimal(checksum);
  out.end_line();
}

Names::Names() {
  used_.resize(routines->size() + 1);
  files_used_.resize(routines->files().size() + 1);
}

void Names::put(TextFile& out) {
  Vector<u8> object_known("trace.records");
  object_known.resize(routines->objects().size() + 1);
  Vector<u8> file_known("trace.records");
  file_known.resize(routines->files().size() + 1);
  const auto put_file = [&](u32 file) {
    if (file != 0 && !file_known[file])
      put_name(out, "file", file, routines->files()[file]);
    file_known[file] = 1;
  };
  for (u32 id = 1; id < used_.size(); id++) {
    if (!used_[id])
      continue;
    const Routine& routine = (*routines)[RoutineId{id}];
    if (!object_known[routine.object])
      put_name(out, "object", routine.object, routines->objects()[routine.object]);
    object_known[routine.object] = 1;
    put_file(routine.file);
    out << "routine " << id << ' ' << routine.object << ' ' << routine.file << ' ' << routine.line
        << ' ' << u64{routine.address} << ' ';
    out.put_escaped(routine.name);
    out.end_line();
  }
  for (u32 file = 1; file < files_used_.size(); file++)
    if (files_used_[file])
      put_file(file);
}

void Names::use(const Loop& loop) {
  use(loop.routine);
  use_file(loop.source->file);
  for (const LoopSource::InlinedCall& call : loop.source->inlined_into)
    use_file(call.file);
}

void put_loop(TextFile& out, const Loop& loop) {
  const LoopSource& source = *loop.source;
  out << "loop " << index(loop.id) << ' ' << index(loop.routine) << ' ' << index(id_of(loop.parent))
      << ' ' << u64{RoutineTable::address_in_file(loop.header)} << ' '
      << (loop.irreducible ? "irreducible" : "natural") << ' ' << source.file << ' ' << source.line
      << ' ' << source.last_line << ' ';
  out.put_escaped(source.function == nullptr ? "" : source.function);
  out.end_line();
  for (const LoopSource::InlinedCall& call : source.inlined_into) {
    out << "inlined " << index(loop.id) << ' ' << call.file << ' ' << call.line << ' ';
    out.put_escaped(call.caller == nullptr ? "" : call.caller);
    out.end_line();
  }
}

} // namespace profile_records
