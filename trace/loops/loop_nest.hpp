// The loop nest of a flow graph, by Steensgaard's loop nesting forest: each strongly connected
// component is a loop; without the edges into its header, each component that is left within it is
// an inner loop.
//
// In a reducible graph these are the natural loops, with those of the same header merged. A
// component that can be entered at several nodes is irreducible. Its header is the entry that
// depth-first search meets first, among those reached by edges that are not doubtful if there are
// any.
//
// Independent of machine code. Cost: O(edges * depth of the nest). All of this is made to be used
// for one graph after the other, as most graphs are small: memory is kept.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

#include <algorithm>
#include <span>

// Nodes are numbered from 0.
struct FlowEdge {
  u32 from;
  u32 to;
  bool doubtful; // may never be taken: from a call to the code behind it
};

// Edges, indexed by one of their ends.
class FlowEdges {
public:
  void assign(u32 nodes, const Vector<FlowEdge>& edges, u32 FlowEdge::*end);

  std::span<const FlowEdge> of(u32 node) const {
    return {sorted_.begin() + first_[node], sorted_.begin() + first_[node + 1]};
  }

private:
  Vector<u32> first_{"trace.loops.nest"};
  Vector<FlowEdge> sorted_{"trace.loops.nest"};
};

// A graph whose nodes are all reachable from `roots`, where control enters it.
struct FlowView {
  // `roots` must outlive its use here.
  void assign(u32 its_nodes, const Vector<u32>& its_roots, const Vector<FlowEdge>& edges) {
    nodes = its_nodes;
    roots = {its_roots.begin(), its_roots.size()};
    successors.assign(nodes, edges, &FlowEdge::from);
    predecessors.assign(nodes, edges, &FlowEdge::to);
  }

  u32 nodes = 0;
  std::span<const u32> roots;
  FlowEdges successors;
  FlowEdges predecessors;
};

class LoopNest {
public:
  static constexpr u32 kNone = ~u32{0};

  struct Part {
    u32 header; // a node
    u32 parent; // a part, or kNone
    bool irreducible;
  };

  void find(const FlowView& graph);

  const Vector<Part>& parts() const { return parts_; }       // outer ones first
  u32 innermost(u32 node) const { return innermost_[node]; } // a part, or kNone
  bool is_within(u32 part, u32 outer) const {
    while (part != outer && part != kNone)
      part = parts_[part].parent;
    return part == outer;
  }

private:
  // Finds Tarjan's strongly connected components of one set of nodes after the other: of all
  // nodes, then of each part found, without the edges into its header.
  static constexpr u32 kFinished = ~u32{0};

  struct Node {
    u32 set = 0;   // number of the innermost part that contains it, from 1
    u32 order = 0; // order of visit in the current search; 0: not visited
    u32 low = 0;
    u32 rank = 0; // order of visit in the first search
    bool is_root = false;
    bool is_header = false;
  };
  struct Visit {
    u32 node;
    u32 next; // index of the next successor
  };
  struct Members { // a range of `members_`
    std::size_t first;
    std::size_t size;
  };

  void search_within(Members part);
  void visit_all_from(u32 start);
  void begin(u32 node);
  void end_visit();
  void lower(u32 node, u32 low) { nodes_[node].low = std::min(nodes_[node].low, low); }
  void end_component(u32 root);
  bool leads_to_itself(u32 node) const;
  void add_part(Members members);
  void find_header(Part& part, Members members) const;
  std::span<const u32> nodes_of(Members members) const {
    return {members_.begin() + members.first, members.size};
  }

  Vector<Part> parts_{"trace.loops.nest"};
  Vector<u32> innermost_{"trace.loops.nest"}; // by node
  const FlowView* graph_ = nullptr;           // during find()
  Vector<Node> nodes_{"trace.loops.nest"};
  u32 set_ = 0; // the set that is being searched
  u32 visited_ = 0;
  Vector<Visit> visits_{"trace.loops.nest"};
  Vector<u32> stack_{"trace.loops.nest"};   // visited, but not in a component yet
  Vector<u32> members_{"trace.loops.nest"}; // of all parts
  Vector<Members> unsearched_{"trace.loops.nest"};
};
