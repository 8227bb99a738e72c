// The loops of the routines that the client has executed.
//
// A routine's code is searched for loops before any of it is translated, and again when a computed
// jump leads to unknown code. The result determines what translated code does at each instruction
// (`leader`). Translations for which that has changed are discarded (stale_code.hpp).
//
// Code may change: it is written again, or a library is mapped where another was. Whether it is
// still what was searched is seen when it is translated; if not, its routine is searched again. A
// loop whose header is where another's was is the same loop.
//
// Owns the loops. Cost: that of building the flow graph, once. Only the graphs of routines with
// computed jumps are kept, and the memory that the largest graph was searched in: some 130 bytes
// for each of its blocks.
#pragma once

#include "base/address_map.hpp"
#include "base/inline_hash_index.hpp"
#include "trace/loops/flow_graph.hpp"
#include "trace/loops/loop.hpp"
#include "trace/loops/loop_nest.hpp"
#include "trace/routines.hpp"

#include <optional>

class LoopTable {
public:
  explicit LoopTable(bool with_returns = false) : with_returns_(with_returns) {}

  // What has to be done at the first instruction of a block of a flow graph.
  struct Leader {
    Loop* innermost = nullptr; // the innermost loop that contains it
    RoutineId routine{};
    bool is_header = false; // of that loop
    bool is_leaf = false;   // that loop is a leaf
    bool counts = false;    // an iteration of that loop has really begun: its condition holds
    bool may_leave = false; // a loop that does not contain the block may still be running
    // The block tests the condition of its loop, whose body may never be executed.
    bool is_condition = false;
    bool counts_outer = false; // arriving from the outer loop begins an iteration of that, too
    // Calls return here, made by an instruction in that loop; null: in none. Only set if requested.
    bool is_returned_to = false;
    Loop* calls_in = nullptr;
    bool calls_in_condition = false; // in the condition of that loop
    // Where loops are logged: whether control may have come from another loop (logged_loops.hpp).
    bool may_change_loop() const {
      return is_header || counts || counts_outer || may_leave || is_returned_to;
    }
    bool operator==(const Leader&) const = default;
  };

  // Code without a symbol at `entry` turns out to be a routine by itself. If it was searched as
  // part of another one, search_late_entries() searches it again.
  void entry_found(GuestAddr entry) {
    if (has(entry))
      late_entries_.push_back(entry);
  }
  void search_late_entries();

  // Whether the code at `block`, where a translation begins, has been searched; if it has a symbol,
  // as a part of that routine.
  bool has(GuestAddr block);
  // Call for each instruction of a translation, before has(). If code that was searched has
  // changed there, all of its routine counts as not searched.
  void forget_if_changed(GuestAddr instruction);
  // Null if nothing has to be done there. Valid until the next find().
  const Leader* leader(GuestAddr instruction) {
    if ((filter_word(instruction) & filter_bit(instruction)) == 0)
      return nullptr;
    const Place* const place = known_place(instruction);
    return place == nullptr || place->leader == kNothingToDo ? nullptr : &leaders_[place->leader];
  }

  // How control came to a block.
  struct Entry {
    GuestAddr block;
    enum { unknown, jump, unwinding } how;
    GuestAddr from; // the jump, or the return address of the call that was left
  };
  // Searches the code of `routine` from that block on.
  void find(RoutineId routine, const Entry& entry);
  // The innermost loop that contains the block; null if none does or the code was not searched.
  Loop* innermost(RoutineId routine, GuestAddr block) const;
  // The loop of a routine with that header; null if none is known.
  Loop* known_loop(RoutineId routine, GuestAddr header) const;
  // The loop with that header in another routine, which has the same code.
  Loop* same_loop(const Loop& of, RoutineId routine);
  const Vector<Loop*>& all() const { return loops_; }

private:
  struct Code {                    // of a routine
    std::optional<GuestAddr> root; // where it was first entered; none: not known yet
    FlowGraph* graph = nullptr;
    u16 version = 0;                                      // how often it was forgotten
    Vector<u32> places{"trace.loops.routine"};            // of the graph's blocks, in `places_`
    Vector<GuestAddr> with_leader{"trace.loops.routine"}; // beginnings of blocks
    Vector<GuestAddr> forgotten{"trace.loops.routine"};   // had leaders; not searched since
    Vector<Loop*> loops{"trace.loops.routine"};
    InlineHashIndex by_header{"trace.loops.routine"}; // of `loops`

    auto header_at() const {
      return [this](std::size_t position) { return loops[position]->header; };
    }
    Loop* loop_at(GuestAddr header) const {
      const std::size_t found = by_header.find(header, header_at());
      return found == InlineHashIndex::kNone ? nullptr : loops[found];
    }
    void add(Loop* loop) {
      loops.push_back(loop);
      by_header.add(static_cast<u32>(loops.size()) - 1, header_at());
    }
  };

  // Of most blocks, which are looked up at each of their instructions, nothing has to be done.
  static constexpr u32 kNothingToDo = ~u32{0};
  // A block that was searched last in the code of `routine`.
  struct Place {
    u32 leader = kNothingToDo; // index into `leaders_`
    u32 checksum = 0;
    RoutineId routine{};
    u16 version = 0; // of the routine's code
    u16 bytes = 0;   // that the checksum is of: all, or the first ones
  };

  bool is_current(const Place& place) const {
    return code_[index(place.routine)].version == place.version;
  }
  // Null if the block has not been searched, or has been forgotten.
  const Place* known_place(GuestAddr block) {
    const u32* const number = place_at_.find(block);
    const Place* const place = number == nullptr ? nullptr : &places_[*number];
    return place != nullptr && is_current(*place) ? place : nullptr;
  }
  void forget(Code& code);
  void discard_forgotten(Code& code);
  void update(RoutineId routine, Code& code);
  void update_loops(RoutineId routine, Code& code);
  void find_leaders(RoutineId routine, const FlowGraph& graph);
  void find_returns();
  void replace_leaders(RoutineId routine, Code& code);
  void set_searched(Place& place, RoutineId routine, GuestAddr begin, std::size_t bytes);
  u32 place_of(GuestAddr block, RoutineId routine);
  Loop& loop_of(RoutineId routine, Code& code, GuestAddr header);

  // What is known of a graph while it is searched. Its memory serves the next graph, too.
  struct Search {
    Vector<FlowEdge> edges{"trace.loops.edges"};
    Vector<u32> roots{"trace.loops.roots"};
    FlowView view;
    LoopNest nest;
    Vector<Loop*> loops{"trace.loops.parts"};      // by part of the nest
    Vector<Leader> leaders{"trace.loops.leaders"}; // by block
    Vector<u8> is_open{"trace.loops.open"};        // by block
  };

  bool with_returns_;                         // leaders say where calls return
  Vector<Code> code_{"trace.loops.routines"}; // by RoutineId
  Vector<Loop*> loops_{"trace.loops"};
  AddressMap<u32> place_at_{"trace.loops.leaders"}; // index into `places_`, by address
  Vector<Place> places_{"trace.loops.leaders"};
  Vector<Leader> leaders_{"trace.loops.leaders"};
  Search search_;
  // A bit for each address, modulo their number: whether there may be a leader. Each translated
  // instruction is looked up several times, and `place_at_` of a large program exceeds the caches.
  static constexpr std::size_t kFilterBits = 1 << 20;
  u64& filter_word(GuestAddr address) { return filter_[address % kFilterBits / 64]; }
  static u64 filter_bit(GuestAddr address) { return u64{1} << address % 64; }
  u64 filter_[kFilterBits / 64]{};
  Vector<GuestAddr> late_entries_{"trace.loops.late"};
};

extern LoopTable* loops; // null: loops are not tracked
