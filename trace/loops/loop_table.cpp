#include "trace/loops/loop_table.hpp"

#include "base/valgrind.hpp"
#include "trace/call_events.hpp"
#include "trace/loops/loop_condition.hpp"
#include "trace/loops/loop_nest.hpp"
#include "trace/loops/loop_source.hpp"
#include "trace/stale_code.hpp"

#include <algorithm>
#include <utility>

LoopTable* loops;

namespace {

FlowGraph::Within is_within(GuestAddr root, GuestAddr address) {
  if (routines->same_symbol(root, address))
    return FlowGraph::Within::symbol;
  return routines->same_routine(root, address) ? FlowGraph::Within::apart : FlowGraph::Within::no;
}

bool is_entry(GuestAddr address) { return routines->is_nameless_entry(address); }

// Finds the blocks that lead only to computed jumps without known targets: in which loop they are
// is known only once a target is seen.
void find_open_blocks(const FlowGraph& graph, const FlowView& view, Vector<u8>& open) {
  open.clear();
  open.resize(view.nodes);
  Vector<u32> found("trace.loops.open");
  const auto add = [&](u32 block) {
    open[block] = 1;
    found.push_back(block);
  };
  for (const u32 jump : graph.computed_jumps())
    if (const u32 block = graph.block_of(jump); view.successors.of(block).empty())
      add(block);
  for (std::size_t i = 0; i < found.size(); i++)
    for (const FlowEdge& edge : view.predecessors.of(found[i])) {
      const auto to = view.successors.of(edge.from);
      if (!open[edge.from] &&
          std::all_of(to.begin(), to.end(), [&](const FlowEdge& of) { return open[of.to] != 0; }))
        add(edge.from);
    }
}

// Calls `see` with the blocks at those of the addresses that are in the graph.
template <typename See>
void for_each_block(const FlowGraph& graph, const Vector<GuestAddr>& addresses, See see) {
  for (const GuestAddr address : addresses)
    if (const u32 block = graph.block_at(address); block != FlowGraph::kNone)
      see(block);
}

// FNV-1a, of code that is mapped.
u32 checksum(GuestAddr begin, u16 bytes) {
  u32 sum = 2'166'136'261;
  for (const u8 byte : std::span(reinterpret_cast<const u8*>(begin), bytes))
    sum = (sum ^ byte) * 16'777'619;
  return sum;
}

// Whether code whose first byte is mapped is mapped as a whole.
bool is_mapped(GuestAddr begin, u16 bytes) {
  const GuestAddr last = begin + std::max<u16>(bytes, 1) - 1;
  return begin / VKI_PAGE_SIZE == last / VKI_PAGE_SIZE ||
         VG_(am_is_valid_for_client)(begin, bytes, VKI_PROT_READ);
}

void find_edges_between_blocks(const FlowGraph& graph, Vector<FlowEdge>& edges) {
  edges.clear();
  edges.reserve(graph.edges().size());
  for (const FlowGraph::Edge& edge : graph.edges())
    if (const u32 to = graph.block_of(edge.to); to != FlowGraph::kNone)
      edges.push_back(
          {graph.block_of(edge.from), to, edge.kind == FlowGraph::EdgeKind::behind_call});
}

} // namespace

void LoopTable::find(RoutineId routine, const Entry& entry) {
  const GuestAddr block = entry.block;
  if (index(routine) >= code_.size())
    code_.resize(index(routine) + 1);
  Code& code = code_[index(routine)];
  if (code.graph == nullptr) {
    code.graph = create<FlowGraph>("trace.loops.graph", is_within, is_entry, block);
    if (code.root)
      code.graph->add_root(*code.root);
  }
  const GuestAddr from =
      entry.how == Entry::unwinding ? code.graph->call_before(entry.from) : entry.from;
  if (entry.how != Entry::unknown && code.graph->block_at(from) != FlowGraph::kNone)
    code.graph->add_jump(from, block);
  else if (!code.graph->has_block(block)) // it has if the routine was forgotten
    code.graph->add_root(block);
  update(routine, code);
  discard_forgotten(code);
  if (!code.root) {
    code.root = block;
    if (!code.graph->has_computed_jumps()) {
      destroy(std::exchange(code.graph, nullptr));
      code.places = Vector<u32>(code.places.cost_centre());
    }
  }
  place_of(block, routine); // also if there is no code
}

void LoopTable::search_late_entries() {
  while (!late_entries_.empty()) {
    const GuestAddr entry = late_entries_.back();
    late_entries_.pop_back();
    find(routines->called(entry), {entry, Entry::unknown, 0});
  }
}

Loop* LoopTable::innermost(RoutineId routine, GuestAddr block) const {
  Loop* found = nullptr;
  if (index(routine) < code_.size())
    for (Loop* loop : code_[index(routine)].loops)
      if ((found == nullptr || found->contains(loop)) &&
          std::find(loop->blocks.begin(), loop->blocks.end(), block) != loop->blocks.end())
        found = loop;
  return found;
}

Loop* LoopTable::same_loop(const Loop& of, RoutineId routine) {
  if (known_loop(routine, of.header) == nullptr)
    find(routine, {of.header, Entry::unknown, 0});
  return &loop_of(routine, code_[index(routine)], of.header);
}

Loop* LoopTable::known_loop(RoutineId routine, GuestAddr header) const {
  return index(routine) < code_.size() ? code_[index(routine)].loop_at(header) : nullptr;
}

Loop& LoopTable::loop_of(RoutineId routine, Code& code, GuestAddr header) {
  if (Loop* const known = code.loop_at(header))
    return *known;
  auto* loop =
      create<Loop>("trace.loops", Loop{LoopId{static_cast<u32>(loops_.size()) + 1}, routine,
                                       static_cast<u32>(code.loops.size()), header});
  loops_.push_back(loop);
  code.add(loop);
  return *loop;
}

void LoopTable::update(RoutineId routine, Code& code) {
  const FlowGraph& graph = *code.graph;
  find_edges_between_blocks(graph, search_.edges);
  search_.roots.clear();
  for_each_block(graph, graph.roots(), [this](u32 block) { search_.roots.push_back(block); });
  search_.view.assign(static_cast<u32>(graph.blocks().size()), search_.roots, search_.edges);
  search_.nest.find(search_.view);
  update_loops(routine, code);
  find_leaders(routine, graph);
  if (with_returns_)
    find_returns();
  replace_leaders(routine, code);
}

// Finds the loop of each part of the nest.
void LoopTable::update_loops(RoutineId routine, Code& code) {
  const FlowGraph& graph = *code.graph;
  const Vector<FlowGraph::Block>& blocks = graph.blocks();
  const LoopNest& nest = search_.nest;
  Vector<Loop*>& parts = search_.loops;
  parts.clear();
  for (const LoopNest::Part& part : nest.parts()) {
    Loop& loop = loop_of(routine, code, blocks[part.header].begin);
    loop.parent = part.parent == LoopNest::kNone ? nullptr : parts[part.parent];
    loop.irreducible = part.irreducible;
    if (loop.parent != nullptr)
      loop.parent->leaf = false;
    loop.blocks.clear();
    loop.exits.clear();
    loop.calls.clear();
    parts.push_back(&loop);
  }
  for (u32 block = 0; block < blocks.size(); block++)
    if (const u32 part = nest.innermost(block); part != LoopNest::kNone)
      for (Loop* loop = parts[part]; loop != nullptr; loop = loop->parent)
        loop->blocks.push_back(blocks[block].begin);
  for (const FlowGraph::Call& call : graph.calls())
    if (const u32 part = nest.innermost(graph.block_of(call.instruction));
        part != LoopNest::kNone) {
      parts[part]->leaf = false;
      parts[part]->has_calls = true;
      if (call.callee != 0)
        parts[part]->calls.push_back({graph.address_of(call.instruction), call.callee});
    }
  for (const FlowEdge& edge : search_.edges) { // back to a header
    const u32 part = nest.innermost(edge.to);
    if (part != LoopNest::kNone && nest.parts()[part].header == edge.to &&
        nest.is_within(nest.innermost(edge.from), part))
      parts[part]->last = std::max(parts[part]->last, graph.last_instruction(blocks[edge.from]));
  }
  for (const FlowEdge& edge : search_.edges)
    if (search_.view.successors.of(edge.from).size() > 1)
      for (u32 part = nest.innermost(edge.from);
           part != LoopNest::kNone && !nest.is_within(nest.innermost(edge.to), part);
           part = nest.parts()[part].parent)
        parts[part]->exits.push_back(graph.last_instruction(blocks[edge.from]));
  for (Loop* loop : parts) // a loop that has been executed may now be in a new one
    if (loop->source != nullptr)
      find_sources(*loop);
}

// Finds the leader of each block.
void LoopTable::find_leaders(RoutineId routine, const FlowGraph& graph) {
  const LoopNest& nest = search_.nest;
  const FlowView& view = search_.view;
  Vector<Leader>& leaders = search_.leaders;
  leaders.clear();
  leaders.reserve(view.nodes);
  for (u32 block = 0; block < view.nodes; block++) {
    const u32 part = nest.innermost(block);
    if (part == LoopNest::kNone)
      leaders.push_back({nullptr, routine});
    else
      leaders.push_back({search_.loops[part], routine, nest.parts()[part].header == block,
                         search_.loops[part]->leaf});
  }
  LoopCondition condition(graph, view, nest);
  for (u32 part = 0; part < nest.parts().size(); part++) {
    condition.find(part);
    for (const u32 block : condition.bodies())
      leaders[block].counts = true;
    for (const u32 block : condition.inner_bodies())
      leaders[block].counts_outer = true;
    for (const u32 block : condition.tests())
      leaders[block].is_condition = true;
  }
  find_open_blocks(graph, view, search_.is_open);
  for (const FlowEdge& edge : search_.edges)
    if (const u32 from = nest.innermost(edge.from);
        from != LoopNest::kNone && !nest.is_within(nest.innermost(edge.to), from))
      leaders[edge.to].may_leave = !search_.is_open[edge.to];
  // These are reached in ways that the graph does not contain.
  for_each_block(graph, graph.computed_targets(),
                 [&](u32 block) { leaders[block].may_leave = true; });
}

// A call returns to the block behind it.
void LoopTable::find_returns() {
  Vector<Leader>& leaders = search_.leaders;
  for (const FlowEdge& edge : search_.edges)
    if (edge.doubtful) {
      leaders[edge.to].is_returned_to = true;
      leaders[edge.to].calls_in = leaders[edge.from].innermost;
      leaders[edge.to].calls_in_condition = leaders[edge.from].is_condition;
    }
}

// Updates what has to be done at the routine's blocks.
void LoopTable::replace_leaders(RoutineId routine, Code& code) {
  const FlowGraph& graph = *code.graph;
  const Vector<FlowGraph::Block>& blocks = graph.blocks();
  const std::size_t known = code.places.size();
  code.places.reserve(blocks.size());
  for (u32 block = 0; block < blocks.size(); block++) {
    const GuestAddr begin = blocks[block].begin;
    const Leader& leader = search_.leaders[block];
    const std::size_t places = places_.size();
    if (block >= known)
      code.places.push_back(place_of(begin, routine));
    const bool is_new = places_.size() > places;
    Place& place = places_[code.places[block]];
    u32& at = place.leader;
    const bool was_leader = at != kNothingToDo && place.routine == routine && is_current(place);
    // Another routine's loop remains: see of_running_routine().
    if (at != kNothingToDo && is_current(place) && leaders_[at].routine != leader.routine &&
        leaders_[at].innermost != nullptr && leader.innermost == nullptr &&
        !leader.may_change_loop())
      continue;
    const bool is_stale =
        is_new // then translations may go through its beginning
            ? code.root && blocks[block].is_split_off && leader.may_change_loop()
            : (at == kNothingToDo ? leader.may_change_loop() : leaders_[at] != leader);
    if (is_stale)
      stale_code::add(begin);
    if (at != kNothingToDo) {
      leaders_[at] = leader;
    } else if (leader.may_change_loop()) {
      at = static_cast<u32>(leaders_.size());
      leaders_.push_back(leader);
      filter_word(begin) |= filter_bit(begin);
    }
    if (at != kNothingToDo && !was_leader)
      code.with_leader.push_back(begin);
    set_searched(place, routine, begin, graph.bytes(blocks[block]));
  }
}

void LoopTable::set_searched(Place& place, RoutineId routine, GuestAddr begin, std::size_t bytes) {
  const u16 version = code_[index(routine)].version;
  const auto summed = static_cast<u16>(std::min<std::size_t>(bytes, ~u16{0}));
  if (place.bytes == summed && place.routine == routine && place.version == version)
    return;
  place.routine = routine;
  place.version = version;
  place.bytes = summed;
  place.checksum = checksum(begin, summed);
}

u32 LoopTable::place_of(GuestAddr block, RoutineId routine) {
  if (const u32* const known = place_at_.find(block))
    return *known;
  places_.push_back({.routine = routine, .version = code_[index(routine)].version});
  return place_at_.insert(block, static_cast<u32>(places_.size()) - 1);
}

bool LoopTable::has(GuestAddr block) {
  const Place* const place = known_place(block);
  return place != nullptr &&
         (RoutineTable::is_nameless(block) || routines->containing(block) == place->routine);
}

void LoopTable::forget_if_changed(GuestAddr instruction) {
  const Place* const place = known_place(instruction);
  if (place != nullptr && place->bytes != 0 &&
      (!is_mapped(instruction, place->bytes) ||
       checksum(instruction, place->bytes) != place->checksum))
    forget(code_[index(place->routine)]);
}

// What was translated from code that has not changed still does what the leaders said.
void LoopTable::discard_forgotten(Code& code) {
  for (const GuestAddr begin : code.forgotten)
    if (known_place(begin) == nullptr) {
      stale_code::add(begin);
      leaders_[places_[*place_at_.find(begin)].leader] = {};
    }
  code.forgotten.clear();
}

// Its loops stay: they have been executed.
void LoopTable::forget(Code& code) {
  code.version++;
  if (code.graph != nullptr)
    destroy(std::exchange(code.graph, nullptr));
  code.places.clear();
  for (const GuestAddr begin : code.with_leader)
    code.forgotten.push_back(begin);
  code.with_leader.clear();
  for (Loop* loop : code.loops) {
    loop->last = 0;
    loop->blocks.clear();
    loop->exits.clear();
    loop->calls.clear();
  }
}
