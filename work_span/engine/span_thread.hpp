// A thread of the work-span engine (work_span.hpp): its pending frames, the loops that they
// execute, and its path, divided into branches where it has forked.
//
// Data only: the engine changes it, and its driver reads it.
#pragma once

#include "work_span/dag/recorder.hpp"
#include "work_span/engine/open_region.hpp"
#include "work_span/engine/path.hpp"
#include "work_span/engine/pending.hpp"

// What a frame itself has executed along a path.
struct LocalSpan {
  Span whole = 0;
  Span reported = 0; // the part of it that is already in the path's prof
  Span of_loops = 0; // the part of it that is already attributed to loops

  LocalSpan() = default;
  // Copied like Lengths.
  LocalSpan(const LocalSpan& other) { *this = other; }
  LocalSpan& operator=(const LocalSpan& other) {
    whole = other.whole;
    reported = other.reported;
    of_loops = other.of_loops;
    return *this;
  }
};

struct SpanFrame {
  SiteId site;
  RoutineId routine;
  bool top_site;               // no pending frame below has the same site
  bool top_caller;             // the caller is outermost
  bool outermost;              // no pending frame below is of the same routine
  bool reported_below = false; // the frames below have reported everything
  u32 region = 0;              // 1 + number of its latest region; 0: none is open
  u32 forks = 0;               // not waited for, since its latest scope began
  u32 scopes = 0;
  Work work_at_entry;
  Span span_at_entry;
  Span burdened_at_entry;
  Work callees = 0; // work of completed callees
  LocalSpan local{};
  u32 loop = 0;             // 1 + number of its innermost loop; 0: it is in none
  u32 linked = 0;           // 1: it and the frames below are linked
  bool child_threw = false; // a spawned child threw, and nobody has caught that yet
  u8 asked = 0;             // what its code has asked of OpenMP: 1 the team's size, 2 its number
  bool divides = false;     // its loops are parts of parallel ones (LoopSpread)
};

// An execution of a loop by a frame: a part of its invocation.
struct LoopFrame {
  SiteId site{};
  u32 frame = 0;
  u32 outer = 0;         // 1 + number of the frame's loop around it; 0: none
  bool top_site = false; // no pending execution of the same loop is below
  bool linked = false;
  Work work_at_entry = 0;
  Span span_at_entry = 0;
  Work own_at_entry = 0; // what the frame itself had executed
  Work inner = 0; // the part of the frame's work since then that was in inner loops that have ended
  bool is_part = false;    // of a parallel loop
  bool has_begun = false;  // if so: its first iteration has been reported
  Work iteration_from = 0; // where the present one began
};

// A part of a thread's path, from one fork to the next or to the end of a spawned child. The
// branches F.p, F.l and F.c of a frame lie on top of each other.
struct Branch : Path {
  Branch() = default;
  explicit Branch(const Lengths& from) { lengths = from; }

  enum class State : u8 {
    grows,  // the thread is here
    forked, // the spawned child is on top of it, and if that has ended, the continuation on top of
            // the child
    ended,  // of a spawned child that is neither kept nor undone
    kept,   // of the longest spawned child
  } state = State::grows;
  bool in_nodes = false; // everything before the fork, with all branches below
  u32 frame = 0;         // the spawning frame
  Span burden = 0;       // of the fork
  LocalSpan local{};     // of that frame, at the end of the branch
};

struct SpanThread {
  Vector<Branch> branches{"cilkshadow.branches"};
  Work work = 0;
  Vector<SpanFrame> frames{"cilkshadow.frames"};
  PendingTable pending;          // empty: all frames are linked
  PendingLink* linked = nullptr; // its linked frames, on top of those of its creators
  // For each scope of the frames: the frame's forks before it.
  Vector<u32> scopes{"cilkshadow.scopes"};
  Vector<OpenRegion> regions{"cilkshadow.regions"};
  Vector<LoopFrame> loops{"cilkshadow.loops"};
  static constexpr Work kNever = ~Work{0};
  Work unmeasured = 0; // what it has executed while nothing was measured
  // Its work and that when it was first ordered after another thread since the last query.
  Work ordered_at = kNever;
  PathPoint end;                      // if the thread has ended
  std::size_t position = 0;           // in the engine's threads
  std::size_t table = 0;              // in the threads with a table
  DagRecorder::Thread* dag = nullptr; // null: the dag is not recorded

  Branch& path() { return branches.back(); } // where the thread is
  const Branch& path() const { return branches.back(); }
  // The branch below: where path() forked, or the child that has ended beside it.
  Branch& beneath() { return branches.end()[-2]; }
  const Branch& beneath() const { return branches.end()[-2]; }
};
