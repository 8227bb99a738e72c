// The options of cilkshadow: one table makes the parsing, the checks and the help text. Owns their
// values, which do not change once the client runs.
#pragma once

#include "base/types.hpp"
#include "trace/routines.hpp"
#include "work_span/dag/recorder.hpp"

namespace cilkshadow::options {

struct Options {
  const char* out_file = "cilkshadow.out.%p";
  bool basic_blocks = false; // the unit of work; otherwise instructions
  Clones clones = Clones::together;
  bool batch_events = true; // calls, returns and markers are logged (trace/event_log.hpp)
  bool loops = true;        // are call sites, too
  bool dag = true;          // is recorded (work_span/dag/recorder.hpp)
  u64 dag_strands = DagRecorder::kDefaultStrands; // that it has at most
  u64 burden = 15000; // units of work that a spawn costs, as the burdened span has it
};

const Options& get();
bool parse(const char* argument); // true: it was one of ours, and good; bad ones end the run
void print_usage();
void print_debug_usage();

} // namespace cilkshadow::options
