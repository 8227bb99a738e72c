#include "trace/loops/loop_source.hpp"

#include "trace/call_events.hpp"
#include "trace/inline_info.hpp"

#include <algorithm>

namespace {

using inline_info::Frame;
using inline_info::Frames;
using inline_info::same_file_name;
using inline_info::shared;

bool has_line(const Frames& frames) { return frames.back().line != 0; }

// Whether `a` is in a line above `b`, in the innermost function that contains both.
bool stands_before(const Frames& a, const Frames& b) {
  const std::size_t depth = shared(a, b, a.size());
  return depth > 0 && has_line(a) && a[depth - 1].line < b[depth - 1].line;
}

// Whether an instruction is of a function around the one that the loop is in, and of a line above
// the loop around it, or that in which the routine begins: compilers move constants that loops need
// from there into them. (An irreducible loop has jumps into it from anywhere.)
bool is_from_above(const Loop& loop, const Frames& closing, const Frames& frames) {
  const std::size_t depth = frames.size();
  if (depth >= closing.size() || shared(closing, frames, depth) < depth)
    return false;
  const Frame& at = frames.back();
  if (loop.parent == nullptr) {
    const Routine& routine = (*routines)[loop.routine];
    return depth == 1 && at.file == routine.file && at.line <= routine.line &&
           at.line < closing[0].line;
  }
  const LoopSource& outer = *loop.parent->source;
  return !loop.parent->irreducible && outer.inlined_into.size() + 1 == depth &&
         inline_info::same_text(outer.function, at.function) && outer.file == at.file &&
         at.line < outer.line;
}

// The depth in `closing` of the innermost function that contains nearly all of the body's
// instructions with a line: compilers move some code out of what they have inlined, and give some
// no line.
std::size_t depth_of(const Loop& loop, const Frames& closing, const Vector<Frames>& body) {
  const auto counts = [&](const Frames& frames) {
    return has_line(frames) && !is_from_above(loop, closing, frames);
  };
  const std::size_t known = std::count_if(body.begin(), body.end(), counts);
  for (std::size_t depth = closing.size(); depth > 1; depth--) {
    std::size_t inside = 0;
    for (const Frames& frames : body)
      inside += counts(frames) && shared(closing, frames, depth) == depth;
    if (16 * inside >= 15 * known)
      return depth;
  }
  return 1;
}

// Code in the function at `depth` whose file most of the body's code there has. Optimised code may
// keep the line of what was inlined, in another file, and yet count as the function's own.
const Frame& typical_frame(const Frames& closing, const Vector<Frames>& body, std::size_t depth) {
  const Frame* typical = &closing[depth - 1];
  int votes = 0; // a majority vote
  for (const Frames& frames : body) {
    if (shared(closing, frames, depth) != depth || frames[depth - 1].line == 0)
      continue;
    if (votes == 0)
      typical = &frames[depth - 1];
    votes += same_file_name(typical->file_name, frames[depth - 1].file_name) ? 1 : -1;
  }
  return *typical;
}

// Finds the first known line of the loop's code in the function at `depth` of `closing`, in the
// source's file if that is known: compilers give some instructions no line.
void find_line(const Loop& loop, const Frames& closing, std::size_t depth, LoopSource& source) {
  constexpr GuestAddr kMostBytes = 64;
  for (GuestAddr at = loop.header; at < loop.last && at < loop.header + kMostBytes; at++) {
    if (routines->line_of(at).line == 0)
      continue;
    const Frames frames = inline_info::frames_at(at);
    const Frame& frame = frames[std::min(depth, frames.size()) - 1];
    if (shared(closing, frames, depth) == depth && frame.line != 0 &&
        (source.file == 0 || source.file == frame.file)) {
      source.file = frame.file;
      source.line = source.last_line = frame.line;
      return;
    }
  }
}

// Whether the line is above the routine, in which the loop is at `depth`, or above the loop around
// `loop` in the same function: compilers move instructions from before that loop into it. (An
// irreducible one has jumps into it from anywhere.)
bool is_above(const Loop& loop, std::size_t depth, u32 line) {
  const Routine& routine = (*routines)[loop.routine];
  if (depth == 1 && loop.source->file == routine.file && line < routine.line)
    return true;
  if (loop.parent == nullptr || loop.parent->irreducible)
    return false;
  const LoopSource& outer = *loop.parent->source;
  const LoopSource& inner = *loop.source;
  return inline_info::same_text(outer.function, inner.function) && outer.file == inner.file &&
         line < outer.line;
}

// The loops around it have a source.
void find_source(Loop& loop) {
  auto* source = create<LoopSource>("trace.loops.source");
  loop.source = source;
  Vector<Frames> body("trace.loops.source");
  if (std::any_of(loop.blocks.begin(), loop.blocks.end(), inline_info::has_source))
    for (const GuestAddr block : loop.blocks)
      body.emplace_back(inline_info::frames_at(block));
  const Frames header = inline_info::frames_at(loop.header);
  const Frames closing_jump = inline_info::frames_at(loop.last != 0 ? loop.last : loop.header);
  // A body that falls through into its condition has no closing jump.
  const bool goes_on = loop.last < loop.header && stands_before(header, closing_jump);
  const Frames& last = goes_on ? header : closing_jump;
  const Frames* const with_line = std::find_if(body.begin(), body.end(), has_line);
  const Frames& closing = has_line(last) || with_line == body.end() ? last : *with_line;
  const std::size_t depth = depth_of(loop, closing, body);
  const Frame& frame = closing[depth - 1];
  const Frame& typical = typical_frame(closing, body, depth);
  const auto is_in_file = [&typical](const Frame& of) {
    return of.line != 0 && same_file_name(of.file_name, typical.file_name);
  };
  source->function = frame.function;
  source->file = typical.file;
  if (is_in_file(frame))
    source->line = source->last_line = frame.line;
  else
    find_line(loop, closing, depth, *source);
  const auto own_line = [&](const Frames& frames) { // 0: of code of other functions
    const bool is_own = shared(closing, frames, depth) == depth && is_in_file(frames[depth - 1]);
    return is_own ? frames[depth - 1].line : 0;
  };
  for (const Frames& frames : body)
    source->last_line = std::max(source->last_line, own_line(frames));
  const auto begins_at = [&](u32 line) {
    if (line != 0 && !is_above(loop, depth, line))
      source->line = source->line == 0 ? line : std::min(source->line, line);
  };
  Vector<u32> exits("trace.loops.source");
  for (const GuestAddr exit : loop.exits)
    exits.push_back(own_line(inline_info::frames_at(exit)));
  // The line that closes the loop has its condition, and the body is behind: then what is above
  // was moved into the loop.
  const bool begins_with_condition =
      source->last_line > source->line &&
      std::find(exits.begin(), exits.end(), source->line) != exits.end();
  if (!begins_with_condition)
    begins_at(own_line(header));
  for (const u32 line : exits)
    begins_at(line);
  for (std::size_t i = depth - 1; i-- > 0;)
    source->inlined_into.push_back({closing[i].function, closing[i].file, closing[i].line});
}

} // namespace

void find_sources(Loop& innermost) {
  if (innermost.parent != nullptr)
    find_sources(*innermost.parent);
  if (innermost.source == nullptr)
    find_source(innermost);
}
