#include "work_span/named_regions.hpp"

#include "base/lazy.hpp"
#include "base/valgrind.hpp"

namespace named_regions {
namespace {

constexpr std::size_t kLongestName = 200; // longer names are truncated
constexpr std::size_t kMostNames = 1000;  // further names share the last region

Lazy<Vector<NamedRegion>> regions{"cilkshadow.regions"};

bool can_read(GuestAddr address, std::size_t bytes) {
  return VG_(am_is_valid_for_client)(address, bytes, VKI_PROT_READ);
}

u32 number_of(const char* name) {
  for (u32 i = 0; i < regions->size(); i++)
    if (VG_(strcmp)((*regions)[i].name, name) == 0)
      return i;
  if (regions->size() == kMostNames)
    return kMostNames - 1;
  const bool is_last = regions->size() == kMostNames - 1;
  regions->push_back({VG_(strdup)("cilkshadow.regions", is_last ? "(others)" : name)});
  return static_cast<u32>(regions->size()) - 1;
}

u32 number_at(GuestAddr name) {
  char text[kLongestName + 1] = {};
  for (std::size_t i = 0; i < kLongestName && can_read(name + i, 1); i++)
    if ((text[i] = *reinterpret_cast<const char*>(name + i)) == 0)
      break;
  return number_of(text);
}

void add(u32 number, const Extent& measured) {
  NamedRegion& of = (*regions)[number];
  of.count++;
  of.sum.work += measured.work;
  of.sum.span += measured.span;
  of.sum.burdened += measured.burdened;
}

Extent between(const Extent& begin, const Extent& end) {
  return {end.work - begin.work, end.span - begin.span, end.burdened - begin.burdened};
}

} // namespace

Extent so_far() {
  const SpanThread& span = shadow::span();
  const Lengths& lengths = span.path().lengths;
  return {span.work, lengths.span, lengths.burdened};
}

void begin(GuestAddr name) {
  const Extent now = so_far();
  shadow::running()->named_regions.push_back(
      {number_at(name), &shadow::span(), now.work, now.span, now.burdened});
}

// Ends the innermost region with that name; the open ones within it have no end.
void end(GuestAddr name) {
  const u32 number = number_at(name);
  auto& open = shadow::running()->named_regions;
  std::size_t at = open.size();
  while (at > 0 && (open[at - 1].name != number || open[at - 1].on != &shadow::span()))
    at--;
  shadow::mistakes().unmatched += at == 0 ? 1 : open.size() - at;
  if (at == 0)
    return;
  const shadow::OpenNamedRegion& from = open[at - 1];
  add(number, between({from.work, from.path, from.burdened}, so_far()));
  while (open.size() >= at)
    open.pop_back();
}

void add(GuestAddr name, GuestAddr measured) {
  if (can_read(measured, sizeof(Extent)))
    add(number_at(name), *reinterpret_cast<const Extent*>(measured));
}

void restart() {
  for (NamedRegion& region : *regions)
    region = {region.name};
  if (shadow::running() == nullptr)
    return;
  const Extent now = so_far();
  for (shadow::OpenNamedRegion& open : shadow::running()->named_regions)
    open = {open.name, open.on, now.work, now.span, now.burdened};
}

const Vector<NamedRegion>& all() { return *regions; }

} // namespace named_regions
