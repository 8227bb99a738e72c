// The options of aprof-trms. Parsing, checks and the help text come from one table. The values do
// not change once the client runs.
#pragma once

#include "aprof/profile/profile.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/routines.hpp"

struct Options {
  const char* out_file = "aprof.out.%p";
  unsigned memory_resolution = 4; // bytes per cell
  const char* input_metric = "both";
  const char* cost = "bb";
  bool work_span = false;
  bool loops = true;
  bool lines = true;
  const char* arguments = "auto";
  Clones clones = Clones::together;
  bool separate_threads = true;
  u64 max_points = 10000;
  bool contexts = false;
  u64 max_contexts = 50000;
  u64 counter_limit = 0;
  u64 pack_every = 0;
  bool sanity = false;
  const char* trace_file = nullptr;
  bool collect_at_start = true;
  bool instr_at_start = true;
  Vector<const char*> toggle_collect{"aprof.options"}; // patterns with * and ?
  Vector<const char*> collect_from{"aprof.options"};
  Vector<const char*> collect_until{"aprof.options"};

  // The settings of the profile and the engine.
  ProfileOptions for_profile() const;
  unsigned cell_shift() const;
};

namespace aprof::options {

Options& get();
// True if it is one of the tool's options; a bad value ends the run.
bool parse(const char* argument);
void print_usage();
void print_debug_usage();

} // namespace aprof::options
