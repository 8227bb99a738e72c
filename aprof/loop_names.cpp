#include "aprof/loop_names.hpp"

#include "trace/loops/loop_table.hpp"

namespace {

using inline_info::Frame;

void put_call(TextFile& out, const Loop& loop, const LoopCall& call) {
  for (std::size_t i = call.at.size(); i-- > 0;) {
    const Frame& frame = call.at[i];
    out << "loop-call " << index(loop.id) << ' ' << index(call.callee) << ' ' << frame.file << ' '
        << frame.line << ' ';
    out.put_escaped(frame.function == nullptr ? "" : frame.function);
    out.end_line();
  }
}

} // namespace

LoopNames::LoopNames() {
  for (const Loop* loop : loops->all())
    if (loop->source != nullptr)
      loops_.push_back({loop, calls_of(*loop)});
}

void LoopNames::use(profile_records::Names& names) const {
  for (const Named& of : loops_) {
    names.use(*of.loop);
    for (const LoopCall& call : of.calls)
      if (names.is_used(call.callee))
        for (const Frame& frame : call.at)
          names.use_file(frame.file);
  }
}

void LoopNames::put(TextFile& out, const profile_records::Names& names) const {
  for (const Named& of : loops_) {
    profile_records::put_loop(out, *of.loop);
    for (const LoopCall& call : of.calls)
      if (names.is_used(call.callee))
        put_call(out, *of.loop, call);
  }
}
