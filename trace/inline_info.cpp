#include "trace/inline_info.hpp"

#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "trace/clone_names.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace inline_info {
namespace {

bool wanted = false;

// Not the tool's own file, nor the C library.
bool is_of_interest(Addr mapped) {
  const NSegment* segment = VG_(am_find_nsegment)(mapped);
  if (segment != nullptr && segment->kind == SkFileV)
    return false;
  const HChar* path = segment == nullptr ? nullptr : VG_(am_get_filename)(segment);
  return path == nullptr || !matches(VG_(basename)(path), {"libc.so*", "libc-*.so"});
}

} // namespace

void want() {
  wanted = true;
  VG_(clo_read_inline_info) = True;
}

namespace {

StringTable* names; // of functions and files

const char* intern(const char* begin, const char* end) {
  if (names == nullptr)
    names = create<StringTable>("trace.inline_info", "trace.inline_info");
  Vector<char> text("trace.inline_info");
  for (; begin != end; begin++)
    text.push_back(*begin);
  text.push_back(0);
  return (*names)[names->intern(text.begin())];
}

// As routines are named: without a symbol version, and a clone as its function.
const char* intern_function(const char* name) {
  return intern(name, name + routines->counted_length(CloneName::of(name)));
}

// Parses "0x1091C6: name (file.cpp:12)", or "0x1091C6: name (in /usr/bin/app)" if there is no line.
Frame parsed(const char* text) {
  const char* name = VG_(strstr)(text, ": ");
  const char* place = VG_(strrchr)(text, '(');
  if (name == nullptr || place == nullptr || place - name < 4)
    return {};
  name += 2;
  Frame frame{intern_function(intern(name, place - 1)), nullptr, 0, 0};
  if (VG_(strcmp)(frame.function, "???") == 0)
    frame.function = nullptr;
  const char* const colon = VG_(strrchr)(place, ':');
  if (colon == nullptr || VG_(strncmp)(place, "(in ", 4) == 0)
    return frame;
  frame.file_name = intern(place + 1, colon);
  frame.line = static_cast<u32>(VG_(strtoll10)(colon + 1, nullptr));
  return frame;
}

// Returns the file of `among` with that name, or else a new one, whose folder is unknown.
u32 known_file(const char* name, std::initializer_list<u32> among) {
  for (const u32 file : among)
    if (file != 0 && same_file_name(routines->files()[file], name))
      return file;
  return routines->file(name);
}

// Reads the object's own DWARF; empty if that has no answer.
Vector<Frame> frames_by_dwarf(GuestAddr address) {
  Vector<Frame> frames("trace.inline_info");
  const std::optional<Vector<InlinedFunction>> inlined = routines->inlined_at(address);
  const HChar* name;
  if (!inlined || !VG_(get_fnname)(VG_(current_DiEpoch)(), address, &name))
    return frames;
  const char* function = intern_function(name);
  for (const InlinedFunction& of : *inlined) {
    const u32 file = *of.call_file == 0 ? 0 : routines->file(of.call_file);
    frames.push_back({function, of.call_file, file, of.call_line});
    function = of.name;
  }
  frames.push_back({function, nullptr, 0, 0});
  return frames;
}

Vector<Frame> frames_by_core(GuestAddr address) {
  Vector<Frame> frames("trace.inline_info");
  const DiEpoch epoch = VG_(current_DiEpoch)();
  InlIPCursor* const cursor = VG_(new_IIPC)(epoch, address);
  do
    frames.push_back(parsed(VG_(describe_IP)(epoch, address, cursor)));
  while (VG_(next_IIPC)(cursor));
  VG_(delete_IIPC)(cursor);
  std::reverse(frames.begin(), frames.end());
  return frames;
}

} // namespace

bool same_text(const char* a, const char* b) {
  return a == b || (a != nullptr && b != nullptr && VG_(strcmp)(a, b) == 0);
}

bool same_file_name(const char* a, const char* b) {
  // VG_(basename) returns a buffer that its next call overwrites.
  const auto without_folders = [](const char* path) {
    const char* const slash = path == nullptr ? nullptr : VG_(strrchr)(path, '/');
    return slash == nullptr ? path : slash + 1;
  };
  return same_text(without_folders(a), without_folders(b));
}

Frames frames_at(GuestAddr address) {
  Frames frames = frames_by_dwarf(address);
  if (frames.empty())
    frames = frames_by_core(address);
  const auto [file, line] = routines->line_of(address); // including the file's folder
  if (line != 0) {
    frames.back().file = file;
    frames.back().file_name = routines->files()[file];
    frames.back().line = line;
  }
  const u32 of_routine = (*routines)[routines->containing(address)].file;
  for (Frame& frame : frames)
    if (frame.file == 0 && frame.file_name != nullptr)
      frame.file = known_file(frame.file_name, {of_routine, file});
  return frames;
}

bool has_source(GuestAddr address) {
  if (routines->line_of(address).line != 0)
    return true;
  if (const auto inlined = routines->inlined_at(address))
    return !inlined->empty();
  InlIPCursor* const cursor = VG_(new_IIPC)(VG_(current_DiEpoch)(), address);
  if (cursor == nullptr)
    return false;
  VG_(delete_IIPC)(cursor);
  return true;
}

std::size_t shared(const Frames& a, const Frames& b, std::size_t most) {
  std::size_t depth = 0;
  while (depth < std::min({a.size(), b.size(), most}) &&
         same_text(a[depth].function, b[depth].function) &&
         (depth == 0 || a[depth - 1].line == b[depth - 1].line))
    depth++;
  return depth;
}

const char* inlined_at(GuestAddr address) {
  const DiEpoch epoch = VG_(current_DiEpoch)();
  InlIPCursor* const cursor = VG_(new_IIPC)(epoch, address);
  if (cursor == nullptr) // nothing is inlined there
    return nullptr;
  const char* const function = parsed(VG_(describe_IP)(epoch, address, cursor)).function;
  VG_(delete_IIPC)(cursor);
  return function;
}

} // namespace inline_info

// ld's --wrap (tool_ldflags in Makefile.am) calls this whenever a file is mapped, instead of the
// core's function, which reads the debug info of the file.
extern "C" {
ULong __real_vgPlain_di_notify_mmap(Addr mapped, Bool also_own, Int file);
ULong __wrap_vgPlain_di_notify_mmap(Addr mapped, Bool also_own, Int file) {
  const Bool read = VG_(clo_read_inline_info);
  if (inline_info::wanted && !inline_info::is_of_interest(mapped))
    VG_(clo_read_inline_info) = False;
  const ULong handle = __real_vgPlain_di_notify_mmap(mapped, also_own, file);
  VG_(clo_read_inline_info) = read;
  return handle;
}
}
