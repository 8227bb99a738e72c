#include "work_span/order/atomic_sources.hpp"

#include "base/lazy.hpp"
#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/state/system_headers.hpp"

namespace atomic_sources {

namespace {

Source source_of_file(const char* name) {
  if (!system_headers::is_of_cxx(name))
    return Source::program;
  if (system_headers::is_of_atomics(name))
    return Source::atomics;
  if (system_headers::is_of_waits(name))
    return Source::waits;
  if (system_headers::is_of_semaphores(name))
    return Source::semaphores;
  if (system_headers::is_of_futures(name))
    return Source::futures;
  if (system_headers::is_of_latches(name))
    return Source::latches;
  return system_headers::is_of_barriers(name) ? Source::barriers : Source::library;
}

Lazy<Vector<Source>> of_files{"cilkshadow.atomics"}; // by number, as far as requested

} // namespace

Source source_of_file(u32 file) {
  if (of_files->empty())
    of_files->push_back(Source::program); // no file
  while (of_files->size() <= file)
    of_files->push_back(source_of_file(routines->files()[static_cast<u32>(of_files->size())]));
  return (*of_files)[file];
}

Source source_of(GuestAddr instruction) {
  const auto [file, line] = routines->line_of(instruction);
  return file != 0 && line == 0 ? Source::several_lines : source_of_file(file);
}

const Routine* routine_of(GuestAddr instruction) {
  const RoutineId routine = routines->containing(instruction);
  return routine == RoutineId::none || routine == RoutineId::stub ? nullptr : &(*routines)[routine];
}

namespace {

// Whether the frame pointer is the running routine's own: its frame exists.
bool has_own_frame_pointer() {
  constexpr u64 kLargest = 4096;
  return guest::frame_pointer() - guest::stack_pointer() < kLargest;
}

Caller caller_at(GuestAddr return_address) {
  switch (source_of(return_address - 1)) {
  case Source::futures: return Caller::future;
  case Source::latches: return Caller::latch;
  default: return Caller::other;
  }
}

} // namespace

bool is_called_by(Caller caller) {
  const auto* const frame = reinterpret_cast<const GuestAddr*>(guest::frame_pointer());
  return has_own_frame_pointer() && caller_at(frame[1]) == caller;
}

// A frame ends below the return address, and begins with the red zone.
bool is_in_frame(GuestAddr address) {
  constexpr u64 kRedZone = 128;
  const GuestAddr sp = guest::stack_pointer();
  return address + kRedZone >= sp &&
         address < (has_own_frame_pointer() ? guest::frame_pointer() + 16 : sp + 8);
}

bool is_of_atomics(const Routine& routine) {
  return matches(routine.name, {"std::__atomic_base<*", "std::atomic<*"});
}

bool has_called(const char* library) {
  for (u32 i = 1; i <= routines->objects().size(); i++)
    if (VG_(string_match)(library, VG_(basename)(routines->objects()[i])))
      return true;
  return false;
}

} // namespace atomic_sources
