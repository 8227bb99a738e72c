// Counts how often the instructions of each source line are executed.
//
// Translated code counts the executions of runs: adjacent instructions of a block, which are all
// executed unless a fault comes between. Each instruction's line, and the function inlined there,
// are looked up when the block is translated, because its object may be unloaded before the end. A
// counter therefore outlives its translation.
//
// Everything that is executed is counted, including code that no activation is charged for, except
// the dynamic linker, which binds symbols.
//
// Owns the counters. Cost: two instructions and some 30 bytes per run with known lines.
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
    u32 file; // number in routines->files()
    u32 line;
    u32 function; // function inlined there, number in functions(); 0: the routine's own code
    bool operator==(const Line&) const = default;
  };
  struct LineCost {
    Line line;
    Costs cost; // blocks that begin there, and instructions
  };

  LineCounters() = default;
  ~LineCounters();
  LineCounters(const LineCounters&) = delete;
  LineCounters& operator=(const LineCounters&) = delete;

  static constexpr u32 kNoLine = ~u32{0};
  // Returns the number of the line of the instruction at `address`, which is in the code of
  // `routine`.
  u32 number_of(RoutineId routine, RoutineTable::SourceLine line, GuestAddr address);

  // Adds a counter for a run, and for blocks that begin at a line unless that is kNoLine. The
  // counter never moves. Returns null if there is no room for another.
  const u64* add_run(u32 block_begins_at);
  // Adds an instruction of that line to the latest run.
  void add_instruction(u32 line);

  // Everything counted so far; each combination of routine, file, line and function occurs once.
  Vector<LineCost> costs() const;
  const StringTable& functions() const { return functions_; }
  void clear();

private:
  struct Instructions { // of a run, of one line
    u32 line;
    u32 count;
  };
  struct Run {
    u32 first; // index into instructions_; the next run's is the end
    u32 block_begins_at;
  };

  u32 number_of(const Line& line);

  // A hundred times the number of counters of python3, because translations may be made anew.
  static constexpr u64 kMost = u64{1} << 22;
  static constexpr u64 kMapped = u64{1} << 15; // counters allocated at a time

  u64& counter(std::size_t run) const { return counters_[run / kMapped][run % kMapped]; }

  Vector<u64*> counters_{"trace.lines.counters"};
  Vector<Run> runs_{"trace.lines.runs"};
  Vector<Instructions> instructions_{"trace.lines.instructions"};
  Vector<Line> lines_{"trace.lines"};              // by number
  AddressMap<u32> codes_{"trace.lines.numbers"};   // by routine and function
  AddressMap<u32> places_{"trace.lines.numbers"};  // by file and line
  AddressMap<u32> numbers_{"trace.lines.numbers"}; // by both of them
  StringTable functions_{"trace.lines.functions"};
};

extern LineCounters* line_counters; // null: lines are not counted
