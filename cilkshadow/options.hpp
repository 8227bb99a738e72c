// The options of cilkshadow. Parsing, checks and the help text come from one table. The values do
// not change once the client runs.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/routines.hpp"
#include "work_span/dag/recorder.hpp"

namespace cilkshadow::options {

struct Options {
  const char* out_file = "cilkshadow.out.%p";
  bool basic_blocks = false; // unit of work; otherwise instructions
  Clones clones = Clones::together;
  bool batch_events = true; // log calls, returns and markers (trace/event_log.hpp)
  bool loops = true;        // loops are call sites, too
  bool dag = true;          // record the dag (work_span/dag/recorder.hpp)
  u64 dag_strands = DagRecorder::kDefaultStrands;           // maximum number of its strands
  Vector<const char*> toggle_collect{"cilkshadow.options"}; // measure only in these; patterns
  u64 burden = 15000; // cost of a spawn in the burdened span, in units of work
};

const Options& get();
// True if it is one of the tool's options; a bad value ends the run.
bool parse(const char* argument);
void print_usage();
void print_debug_usage();

} // namespace cilkshadow::options
