#include "work_span/runtimes/named_regions.hpp"

#include "base/lazy.hpp"
#include "base/valgrind.hpp"

#include <algorithm>

namespace named_regions {
namespace {

using shadow::Extent;
using shadow::OpenNamedRegion;
using shadow::Thread;

constexpr std::size_t kLongestName = 200; // longer names are truncated
constexpr std::size_t kMostNames = 1000;  // further names share the last region

Lazy<Vector<NamedRegion>> regions{"cilkshadow.regions"};
u64 open_in_process = 0;
u32 process = 0;         // number of forks before
Extent process_begins{}; // the lengths of all threads then

bool can_read(GuestAddr address, std::size_t bytes) {
  return VG_(am_is_valid_for_client)(address, bytes, VKI_PROT_READ);
}

struct Name {
  explicit Name(GuestAddr from) {
    for (std::size_t i = 0; i < kLongestName && is_readable; i++) {
      is_readable = can_read(from + i, 1);
      if (!is_readable || (text[i] = *reinterpret_cast<const char*>(from + i)) == 0)
        break;
    }
  }
  char text[kLongestName + 1] = {};
  bool is_readable = true;
};

bool is_negative(const Extent& measured) {
  return static_cast<i64>(measured.work | measured.span | measured.burdened) < 0;
}

// Returns the number of regions if none has that name.
std::size_t find(const Name& name) {
  std::size_t i = 0;
  while (i < regions->size() && VG_(strcmp)((*regions)[i].name, name.text) != 0)
    i++;
  return std::min(i, kMostNames - 1);
}

std::size_t find_or_make(const Name& name) {
  const std::size_t number = find(name);
  if (number == regions->size())
    regions->push_back(
        {VG_(strdup)("cilkshadow.regions", number == kMostNames - 1 ? "(others)" : name.text)});
  return number;
}

void add(std::size_t number, const Extent& measured) {
  NamedRegion& of = (*regions)[number];
  of.count++;
  of.sum.work += measured.work;
  of.sum.span += measured.span;
  of.sum.burdened += measured.burdened;
}

Extent between(const Extent& begin, const Extent& end) {
  return {end.work - begin.work, end.span - begin.span, end.burdened - begin.burdened};
}

// Iterations of a parallel loop begin at one moment: a region of one does not end in another.
bool is_before(const Extent& left, const Extent& right) {
  return left.span < right.span || left.burdened < right.burdened;
}

OpenNamedRegion close_innermost(Thread& thread) {
  const OpenNamedRegion region = thread.named_regions.back();
  thread.named_regions.pop_back();
  open_in_process -= region.process == process;
  return region;
}

// The innermost open regions, as long as it is true of them, have no end.
template <typename F> void leave_while(Thread& thread, F is_left) {
  while (!thread.named_regions.empty() && is_left(thread.named_regions.back())) {
    close_innermost(thread);
    shadow::mistakes().unmatched++;
  }
}

void leave_deeper_than(Thread& thread, std::size_t depth) {
  leave_while(thread, [&](const OpenNamedRegion& region) { return region.depth > depth; });
}

// The running thread, without the regions of frames that it has left; null, and the request is
// refused, if the name cannot be read.
Thread* requested_by(const Name& name) {
  if (!name.is_readable) {
    shadow::mistakes().refused++;
    return nullptr;
  }
  Thread* const thread = shadow::running();
  leave_deeper_than(*thread, thread->frames.size());
  return thread;
}

} // namespace

Extent so_far() {
  const SpanThread& span = shadow::span();
  const Lengths& lengths = span.path().lengths;
  return {span.work, lengths.span, lengths.burdened};
}

void begin(GuestAddr at) {
  const Name name(at);
  Thread* const thread = requested_by(name);
  if (thread == nullptr)
    return;
  thread->named_regions.push_back(
      {find_or_make(name), thread->span, so_far(), thread->frames.size(), process});
  open_in_process++;
  if (!thread->frames.empty())
    thread->frames.back().has_region = true;
}

// Ends the innermost region with that name; the open ones within it have no end.
void end(GuestAddr at) {
  const Name name(at);
  Thread* const thread = requested_by(name);
  if (thread == nullptr)
    return;
  const std::size_t number = find(name);
  const auto is_it = [&](const OpenNamedRegion& region) {
    return region.name == number && region.on == thread->span;
  };
  if (std::none_of(thread->named_regions.begin(), thread->named_regions.end(), is_it)) {
    shadow::mistakes().unmatched++;
    return;
  }
  leave_while(*thread, [&](const OpenNamedRegion& region) { return !is_it(region); });
  const OpenNamedRegion ended = close_innermost(*thread);
  const Extent& begin = ended.process == process ? ended.begin : process_begins;
  const Extent now = so_far();
  if (is_before(now, begin))
    shadow::mistakes().unmatched++;
  else
    add(number, between(begin, now));
}

void add(GuestAddr at, GuestAddr measured) {
  const Name name(at);
  const auto* extent = reinterpret_cast<const Extent*>(measured);
  if (!name.is_readable || !can_read(measured, sizeof *extent) || is_negative(*extent))
    shadow::mistakes().refused++;
  else
    add(find_or_make(name), *extent);
}

void before_return(Thread& thread) { leave_deeper_than(thread, thread.frames.size() - 1); }

void before_end_of_task(Thread& thread) {
  leave_while(thread, [&](const OpenNamedRegion& region) { return region.on == thread.span; });
}

void before_end(Thread& thread) {
  leave_while(thread, [](const OpenNamedRegion&) { return true; });
}

// The engine has restarted: all of its threads continue with the same lengths.
void restart() {
  for (NamedRegion& region : *regions)
    region = {region.name};
  open_in_process = 0;
  process++;
  process_begins = so_far();
}

const Vector<NamedRegion>& all() { return *regions; }
u64 still_open() { return open_in_process; }

} // namespace named_regions
