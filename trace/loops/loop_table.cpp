#include "trace/loops/loop_table.hpp"

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
Vector<u8> find_open_blocks(const FlowGraph& graph, const FlowView& view) {
  Vector<u8> open("trace.loops.open");
  open.resize(view.nodes);
  Vector<u32> found("trace.loops.open");
  const auto add = [&](u32 block) {
    open[block] = 1;
    found.push_back(block);
  };
  for (const GuestAddr jump : graph.computed_jumps())
    if (const u32 block = graph.block_of(jump); view.successors.of(block).empty())
      add(block);
  for (std::size_t i = 0; i < found.size(); i++)
    for (const FlowEdge& edge : view.predecessors.of(found[i])) {
      const auto to = view.successors.of(edge.from);
      if (!open[edge.from] &&
          std::all_of(to.begin(), to.end(), [&](const FlowEdge& of) { return open[of.to] != 0; }))
        add(edge.from);
    }
  return open;
}

// The blocks at those of the addresses that are in the graph.
Vector<u32> blocks_of(const FlowGraph& graph, const Vector<GuestAddr>& addresses) {
  Vector<u32> blocks("trace.loops.blocks");
  for (const GuestAddr address : addresses)
    if (const u32 block = graph.block_of(address); block != FlowGraph::kNone)
      blocks.push_back(block);
  return blocks;
}

Vector<FlowEdge> edges_between_blocks(const FlowGraph& graph) {
  Vector<FlowEdge> edges("trace.loops.edges");
  edges.reserve(graph.edges().size());
  for (const FlowGraph::Edge& edge : graph.edges()) {
    const u32 from = graph.block_of(edge.from);
    const u32 to = graph.block_of(edge.to);
    if (from != FlowGraph::kNone && to != FlowGraph::kNone && graph.blocks()[to].begin == edge.to)
      edges.push_back({from, to, edge.kind == FlowGraph::EdgeKind::behind_call});
  }
  return edges;
}

// Returns the leaders by block. `parts`: the loop of each part of the nest.
Vector<LoopTable::Leader> find_leaders(RoutineId routine, const FlowGraph& graph,
                                       const Vector<FlowEdge>& edges, const FlowView& view,
                                       const LoopNest& nest, const Vector<Loop*>& parts) {
  Vector<LoopTable::Leader> leaders("trace.loops.leaders");
  leaders.reserve(view.nodes);
  for (u32 block = 0; block < view.nodes; block++) {
    const u32 part = nest.innermost(block);
    if (part == LoopNest::kNone)
      leaders.push_back({nullptr, routine});
    else
      leaders.push_back(
          {parts[part], routine, nest.parts()[part].header == block, parts[part]->leaf});
  }
  for (u32 part = 0; part < nest.parts().size(); part++) {
    const LoopCondition condition(graph, view, nest, part);
    for (const u32 block : condition.bodies())
      leaders[block].counts = true;
    for (const u32 block : condition.inner_bodies())
      leaders[block].counts_outer = true;
    for (const u32 block : condition.tests())
      leaders[block].is_condition = true;
  }
  const Vector<u8> is_open = find_open_blocks(graph, view);
  for (const FlowEdge& edge : edges)
    if (const u32 from = nest.innermost(edge.from);
        from != LoopNest::kNone && !nest.is_within(nest.innermost(edge.to), from))
      leaders[edge.to].may_leave = !is_open[edge.to];
  // These are reached in ways that the graph does not contain.
  for (const u32 block : blocks_of(graph, graph.computed_targets()))
    leaders[block].may_leave = true;
  return leaders;
}

// A call returns to the block behind it.
void find_returns(const Vector<FlowEdge>& edges, Vector<LoopTable::Leader>& leaders) {
  for (const FlowEdge& edge : edges)
    if (edge.doubtful) {
      leaders[edge.to].is_returned_to = true;
      leaders[edge.to].calls_in = leaders[edge.from].innermost;
      leaders[edge.to].calls_in_condition = leaders[edge.from].is_condition;
    }
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
  if (entry.how != Entry::unknown && code.graph->block_of(from) != FlowGraph::kNone)
    code.graph->add_jump(from, block);
  else
    code.graph->add_root(block);
  update(routine, code);
  if (!code.root) {
    code.root = block;
    if (!code.graph->has_computed_jumps())
      destroy(std::exchange(code.graph, nullptr));
  }
  if (!has(block)) // no code
    leader_at_.insert(block, kNothingToDo);
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
  if (index(routine) < code_.size())
    for (Loop* loop : code_[index(routine)].loops)
      if (loop->header == header)
        return loop;
  return nullptr;
}

Loop& LoopTable::loop_of(RoutineId routine, Code& code, GuestAddr header) {
  if (Loop* const known = known_loop(routine, header))
    return *known;
  auto* loop =
      create<Loop>("trace.loops", Loop{LoopId{static_cast<u32>(loops_.size()) + 1}, routine,
                                       static_cast<u32>(code.loops.size()), header});
  loops_.push_back(loop);
  code.loops.push_back(loop);
  return *loop;
}

void LoopTable::update(RoutineId routine, Code& code) {
  const FlowGraph& graph = *code.graph;
  const Vector<FlowEdge> edges = edges_between_blocks(graph);
  const Vector<u32> roots = blocks_of(graph, graph.roots());
  const FlowView view(static_cast<u32>(graph.blocks().size()), roots, edges);
  const LoopNest nest(view);
  const Vector<Loop*> parts = update_loops(routine, code, edges, nest);
  Vector<Leader> leaders = find_leaders(routine, graph, edges, view, nest, parts);
  if (with_returns_)
    find_returns(edges, leaders);
  replace_leaders(graph, leaders, code.root.has_value());
}

// Returns the loop of each part of the nest.
Vector<Loop*> LoopTable::update_loops(RoutineId routine, Code& code, const Vector<FlowEdge>& edges,
                                      const LoopNest& nest) {
  const FlowGraph& graph = *code.graph;
  const Vector<FlowGraph::Block>& blocks = graph.blocks();
  Vector<Loop*> parts("trace.loops.parts");
  for (const LoopNest::Part& part : nest.parts()) {
    Loop& loop = loop_of(routine, code, blocks[part.header].begin);
    loop.parent = part.parent == LoopNest::kNone ? nullptr : parts[part.parent];
    loop.irreducible = part.irreducible;
    if (loop.parent != nullptr)
      loop.parent->leaf = false;
    loop.blocks.clear();
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
      if (call.callee != 0)
        parts[part]->calls.push_back({call.instruction, call.callee});
    }
  for (const FlowEdge& edge : edges) { // back to a header
    const u32 part = nest.innermost(edge.to);
    if (part != LoopNest::kNone && nest.parts()[part].header == edge.to &&
        nest.is_within(nest.innermost(edge.from), part))
      parts[part]->last = std::max(parts[part]->last, graph.last_instruction(blocks[edge.from]));
  }
  for (Loop* loop : parts) // a loop that has been executed may now be in a new one
    if (loop->source != nullptr)
      find_sources(*loop);
  return parts;
}

// Updates the leaders of the graph's blocks. `again`: some may have been translated.
void LoopTable::replace_leaders(const FlowGraph& graph, const Vector<Leader>& leaders, bool again) {
  for (u32 block = 0; block < leaders.size(); block++) {
    const GuestAddr begin = graph.blocks()[block].begin;
    const Leader& leader = leaders[block];
    u32* known = leader_at_.find(begin);
    bool is_stale;
    if (known == nullptr) {
      // Translations may go through its beginning.
      is_stale = again && graph.blocks()[block].is_split_off && leader.may_change_loop();
      known = &leader_at_.insert(begin, kNothingToDo);
    } else {
      is_stale = *known == kNothingToDo ? leader.may_change_loop() : leaders_[*known] != leader;
    }
    if (is_stale)
      stale_code::add(begin);
    if (*known != kNothingToDo) {
      leaders_[*known] = leader;
    } else if (leader.may_change_loop()) {
      *known = static_cast<u32>(leaders_.size());
      leaders_.push_back(leader);
      filter_word(begin) |= filter_bit(begin);
    }
  }
}
