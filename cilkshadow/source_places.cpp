#include "cilkshadow/source_places.hpp"

#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "trace/inline_info.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/shadow.hpp"
#include "work_span/state/system_headers.hpp"

namespace cilkshadow::source_places {

using inline_info::Frame;

SourcePlaces::SourcePlaces(const Vector<u32>& sites) {
  find_calls(sites);
  find_locks();
}

void SourcePlaces::find_calls(const Vector<u32>& sites) {
  for (u32 i = 0; i < sites.size(); i++) {
    const Site& site = shadow::sites()[SiteId{i}];
    if (sites[i] == 0 || site.caller.address == 0)
      continue;
    const Vector<Frame> frames = inline_info::frames_at(site.caller.address);
    for (std::size_t k = 1; k < frames.size(); k++)
      if (frames[k].function != nullptr)
        calls_.push_back({sites[i], frames[k].function, frames[k - 1].file, frames[k - 1].line});
  }
}

namespace {

// Whether the place of a frame is in the source of who uses the lock: not in an installed header,
// nor in the lock() of a type of the program's own, as std::lock_guard calls it.
bool is_of_user(const Frame& frame) {
  if (frame.file == 0 || frame.function == nullptr ||
      system_headers::is_installed(routines->files()[frame.file]))
    return false;
  return !matches(frame.function, {"lock", "lock_shared", "try_lock", "try_lock_shared"});
}

} // namespace

void SourcePlaces::find_locks() {
  locks::for_each_that_was_held([&](const locks::Lock& lock, u32 number) {
    for (const locks::LockPlaces::Place& place : lock.places) {
      const Vector<Frame> frames = inline_info::frames_at(place.call);
      std::size_t k = frames.size() - 1;
      while (k > 0 && !is_of_user(frames[k]))
        k--;
      locks_.push_back({number, place.held, routines->containing(place.call),
                        k == 0 ? "" : frames[k].function, frames[k].file, frames[k].line});
    }
  });
}

void SourcePlaces::use(profile_records::Names& names) const {
  for (const InlinedCode& call : calls_)
    names.use_file(call.call_file);
  for (const Acquisition& lock : locks_) {
    names.use_file(lock.file);
    names.use(lock.routine);
  }
}

void SourcePlaces::put_calls(TextFile& out) const {
  for (const InlinedCode& call : calls_) {
    out << "inlined-call " << call.site << ' ' << call.call_file << ' ' << call.call_line << ' ';
    out.put_escaped(call.function);
    out.end_line();
  }
}

void SourcePlaces::put_locks(TextFile& out) const {
  for (const Acquisition& lock : locks_) {
    out << "held-at " << lock.lock << ' ' << lock.held << ' ' << index(lock.routine) << ' '
        << lock.file << ' ' << lock.line << ' ';
    out.put_escaped(lock.function);
    out.end_line();
  }
}

} // namespace cilkshadow::source_places
