// How often the instructions of each source line are executed.
//
// Translated code counts the executions of runs: neighbouring instructions of a block, which are
// executed one after the other unless there is a fault. The line of each instruction, and the
// function that was inlined there, is asked for when its block is translated, as its object may be
// unloaded before the end; so a counter outlives the translation that it is for.
//
// Counts whatever is executed: also what no activation is charged with, but for the dynamic linker,
// which binds symbols.
//
// Owns the counters. Cost: two instructions for a run, and some 30 bytes, where lines are known.
#pragma once

#include "base/address_map.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/routines.hpp"
#include "trace/string_table.hpp"

class LineCounters {
public:
  struct Line {
    RoutineId routine;
    u32 file; // as routines->files() has it
    u32 line;
    u32 function; // inlined there, as functions() has it; 0: none, the code is the routine's own
    bool operator==(const Line&) const = default;
  };
  struct LineCost {
    Line line;
    Costs cost; // of blocks that begin there, and of instructions
  };

  LineCounters() = default;
  ~LineCounters();
  LineCounters(const LineCounters&) = delete;
  LineCounters& operator=(const LineCounters&) = delete;

  static constexpr u32 kNoLine = ~u32{0};
  // Of the line that the instruction at `address` is of, in the code of `routine`.
  u32 number_of(RoutineId routine, RoutineTable::SourceLine line, GuestAddr address);

  // A new counter: of a run, and of blocks that begin at a line, unless that is kNoLine. It stays
  // where it is. Null: there is room for no more.
  const u64* add_run(u32 block_begins_at);
  // The run added last has an instruction of that line, too.
  void add_instruction(u32 line);

  // All that was counted, by routine, file, line and function, each once.
  Vector<LineCost> costs() const;
  const StringTable& functions() const { return functions_; }
  void clear();

private:
  struct Instructions { // of a run, of one line
    u32 line;
    u32 count;
  };
  struct Run {
    u32 first; // in instructions_, up to the next run's
    u32 block_begins_at;
  };

  u32 number_of(const Line& line);

  // A hundred times what python3 has, as translations are made anew.
  static constexpr u64 kMost = u64{1} << 22;
  static constexpr u64 kMapped = u64{1} << 15; // counters at a time

  u64& counter(std::size_t run) const { return counters_[run / kMapped][run % kMapped]; }

  Vector<u64*> counters_{"trace.lines.counters"};
  Vector<Run> runs_{"trace.lines.runs"};
  Vector<Instructions> instructions_{"trace.lines.instructions"};
  Vector<Line> lines_{"trace.lines"};              // by number
  AddressMap<u32> codes_{"trace.lines.numbers"};   // by routine and function
  AddressMap<u32> places_{"trace.lines.numbers"};  // by file and line
  AddressMap<u32> numbers_{"trace.lines.numbers"}; // by these two
  StringTable functions_{"trace.lines.functions"};
};

extern LineCounters* line_counters; // null: not wanted
