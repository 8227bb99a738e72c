#include "aprof/requests.hpp"

#include "aprof/aprof.h"
#include "aprof/collector.hpp"
#include "aprof/engine/engine.hpp"
#include "aprof/helpers.hpp"
#include "aprof/options.hpp"
#include "aprof/profile_writer.hpp"
#include "base/vector.hpp"
#include "trace/call_events.hpp"
#include "trace/instrument.hpp"
#include "trace/threads.hpp"
#include "work_span/annotations.hpp"

extern "C" {
#include "pub_tool_gdbserver.h"
#include "pub_tool_transtab.h"
}

namespace requests {
namespace {

const char* on_or_off(bool on) { return on ? "on" : "off"; }

void set_instrumentation(bool on) {
  if (on == is_instrumenting())
    return;
  set_instrumenting(on);
  threads::forget_calls();
  // All code must be translated anew, with or without instrumentation.
  VG_(discard_translations_safely)(0x1000, ~SizeT{0xFFF}, "aprof-trms");
}

// Monitor commands

const char kHelp[] = "monitor commands of aprof-trms:\n"
                     "  dump [<hint>]             write the profile so far, with the hint in it\n"
                     "  zero                      reset all numbers to zero\n"
                     "  status                    show what has been measured so far\n"
                     "  instrumentation [on|off]  switch instrumentation, or show its state\n";

// Returns `text` without its first word.
const char* after_word(const char* text) {
  while (*text != 0 && *text != ' ')
    text++;
  while (*text == ' ')
    text++;
  return text;
}

void dump(const char* hint) {
  const char* path = aprof::profile_writer::write_dump(hint);
  if (path != nullptr)
    VG_(gdb_printf)("profile written to %s\n", path);
  else
    VG_(gdb_printf)("the profile could not be written: see the tool's messages\n");
}

void status() {
  u64 records = 0;
  u64 calls = 0;
  u64 points = 0;
  collector::complete_profile().for_each([&](ThreadIndex, const RoutineRecord& record) {
    records++;
    calls += record.calls;
    points += record.trms().size() + record.rms().size();
  });
  u64 alive = 0;
  for (const ClientThread* thread : threads::all())
    alive += !thread->levels.empty();
  VG_(gdb_printf)
  ("instrumentation %s, collection %s\n"
   "%llu threads, %llu of them alive\n"
   "%llu activations of %llu routines, %llu points\n"
   "%llu renumberings of the timestamps\n"
   "%llu times shadow memory of 64 KiB was packed\n",
   on_or_off(is_instrumenting()), on_or_off(collector::is_collecting()),
   (ULong)threads::all().size(), (ULong)alive, (ULong)calls, (ULong)records, (ULong)points,
   (ULong)engine().renumberings(), (ULong)engine().shadow().packed());
}

bool monitor(const char* command) {
  enum { help, dump_, zero, status_, instrumentation };
  Vector<char> copy("aprof.requests");
  copy.resize(VG_(strlen)(command) + 1);
  VG_(strcpy)(copy.begin(), command);
  HChar* rest;
  const HChar* word = VG_(strtok_r)(copy.begin(), " ", &rest);
  if (word == nullptr)
    return false;
  const char* argument = after_word(command);
  switch (VG_(keyword_id)("help dump zero status instrumentation", word,
                          kwd_report_duplicated_matches)) {
  case help: VG_(gdb_printf)("%s", kHelp); return true;
  case dump_: dump(argument); return true;
  case zero:
    collector::zero();
    VG_(gdb_printf)("all numbers are zero\n");
    return true;
  case status_: status(); return true;
  case instrumentation:
    if (VG_(strcmp)(argument, "on") == 0 || VG_(strcmp)(argument, "off") == 0)
      set_instrumentation(argument[1] == 'n');
    else if (*argument != 0)
      VG_(gdb_printf)("expected 'on' or 'off', not '%s'\n", argument);
    VG_(gdb_printf)("instrumentation %s\n", on_or_off(is_instrumenting()));
    return true;
  case -2: return true;  // ambiguous; the core has said so
  default: return false; // the core's, or unknown
  }
}

} // namespace

Bool handle(ThreadId tid, UWord* arguments, UWord* result) {
  if (aprof::options::get().work_span && annotations::handle(tid, arguments, result))
    return True;
  *result = 0;
  switch (arguments[0]) {
  case VG_USERREQ__APROF_START: collector::collect(true); return True;
  case VG_USERREQ__APROF_STOP: collector::collect(false); return True;
  case VG_USERREQ__APROF_TOGGLE: collector::collect(!collector::is_collecting()); return True;
  case VG_USERREQ__APROF_ZERO: collector::zero(); return True;
  case VG_USERREQ__APROF_DUMP: aprof::profile_writer::write_dump(""); return True;
  case VG_USERREQ__APROF_DUMP_AT:
    aprof::profile_writer::write_dump(reinterpret_cast<const char*>(arguments[1]));
    return True;
  case VG_USERREQ__APROF_INSTRUMENTATION: set_instrumentation(arguments[1] != 0); return True;
  case VG_USERREQ__GDB_MONITOR_COMMAND:
    *result = monitor(reinterpret_cast<const char*>(arguments[1]));
    return *result != 0;
  default:
    if (!VG_IS_TOOL_USERREQ('A', 'P', arguments[0]))
      return False;
    VG_(umsg)
    ("unknown client request 0x%lx: the program was compiled with a newer aprof.h\n", arguments[0]);
    return True;
  }
}

} // namespace requests
