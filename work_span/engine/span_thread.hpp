// A thread as the work-span engine (work_span.hpp) keeps it: its pending frames, the loops that
// they execute, and its path, cut into branches where it has forked.
//
// Data only: the engine changes it, and whoever drives the engine reads it.
#pragma once

#include "work_span/dag/recorder.hpp"
#include "work_span/engine/open_region.hpp"
#include "work_span/engine/path.hpp"
#include "work_span/engine/pending.hpp"

// What a frame itself executed along a path.
struct LocalSpan {
  Span whole = 0;
  Span reported = 0; // of this, what the path's prof has already
  Span of_loops = 0; // of this, what it has already of the loops it was executed in

  LocalSpan() = default;
  // As Lengths are.
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
  bool top_site;               // no pending frame below has the same site,
  bool top_caller;             // its caller is outermost,
  bool outermost;              // no pending frame below is of the same routine
  bool reported_below = false; // the frames below have reported all
  u32 region = 0;              // 1 + its latest of the thread's, 0: none is open
  u32 forks = 0;               // not waited for, since its latest scope began
  u32 scopes = 0;
  Work work_at_entry;
  Span span_at_entry;
  Work callees = 0; // work of completed callees
  LocalSpan local{};
  u32 loop = 0;             // 1 + its innermost of the thread's, 0: it is in none
  u32 linked = 0;           // 1: and so are those below
  bool child_threw = false; // a spawned one, and nobody has caught that yet
};

// An execution of a loop by a frame: a part of its invocation.
struct LoopFrame {
  SiteId site{};
  u32 frame = 0;
  u32 outer = 0;         // 1 + the frame's loop around it, 0: there is none
  bool top_site = false; // no pending one below is of the same loop
  bool linked = false;
  Work work_at_entry = 0;
  Span span_at_entry = 0;
  Work own_at_entry = 0; // what the frame itself had executed
  Work inner = 0;        // of what it has executed since, what loops within had that have ended
};

// A part of a thread's path, from one fork to the next or to the end of a spawned child: F.p, F.l
// and F.c of a frame lie one upon the other.
struct Branch : Path {
  Branch() = default;
  explicit Branch(const Lengths& from) { lengths = from; }

  enum class State : u8 {
    grows,  // the thread is here
    forked, // what is upon it is the spawned child, with what follows upon that if it has ended
    ended,  // a spawned child's that is neither kept nor undone
    kept,   // the longest spawned child's
  } state = State::grows;
  bool in_nodes = false; // what lies before the fork, with all below
  u32 frame = 0;         // the spawning one
  Span burden = 0;       // of the fork
  LocalSpan local{};     // of that frame, where the branch ends
};

struct SpanThread {
  Vector<Branch> branches{"cilkshadow.branches"};
  Work work = 0;
  Vector<SpanFrame> frames{"cilkshadow.frames"};
  PendingTable pending;          // empty: all frames are linked
  PendingLink* linked = nullptr; // its linked frames, upon those of its creators
  // Of the frames' scopes: the frame's forks before.
  Vector<u32> scopes{"cilkshadow.scopes"};
  Vector<OpenRegion> regions{"cilkshadow.regions"};
  Vector<LoopFrame> loops{"cilkshadow.loops"};
  static constexpr Work kNever = ~Work{0};
  Work ordered_at = kNever; // its work when it came after another first, since that was asked last
  PathPoint end;            // of a thread that has ended
  std::size_t position = 0; // among the engine's threads
  std::size_t table = 0;    // among those with a table
  DagRecorder::Thread* dag = nullptr; // null: the dag is not recorded

  Branch& path() { return branches.back(); } // where it is
  const Branch& path() const { return branches.back(); }
  // What that lies upon: what it forked from, or the child that has ended beside it.
  Branch& beneath() { return branches.end()[-2]; }
  const Branch& beneath() const { return branches.end()[-2]; }
};
