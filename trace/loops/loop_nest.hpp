// The loop nest of a flow graph, by Steensgaard's loop nesting forest: each strongly connected
// component is a loop; without the edges into its header, each component that is left within it is
// an inner loop.
//
// In a reducible graph these are the natural loops, with those of the same header merged. A
// component that can be entered at several nodes is irreducible. Its header is the entry that
// depth-first search meets first, among those reached by edges that are not doubtful if there are
// any.
//
// Independent of machine code. Cost: O(edges * depth of the nest).
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

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
  FlowEdges(u32 nodes, const Vector<FlowEdge>& edges, u32 FlowEdge::*end);

  std::span<const FlowEdge> of(u32 node) const {
    return {sorted_.begin() + first_[node], sorted_.begin() + first_[node + 1]};
  }

private:
  Vector<u32> first_{"trace.loops.nest"};
  Vector<FlowEdge> sorted_{"trace.loops.nest"};
};

// A graph whose nodes are all reachable from `roots`, where control enters it.
struct FlowView {
  FlowView(u32 its_nodes, const Vector<u32>& its_roots, const Vector<FlowEdge>& edges)
      : nodes(its_nodes), roots(its_roots), successors(nodes, edges, &FlowEdge::from),
        predecessors(nodes, edges, &FlowEdge::to) {}

  u32 nodes;
  const Vector<u32>& roots;
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

  explicit LoopNest(const FlowView& graph);

  const Vector<Part>& parts() const { return parts_; }       // outer ones first
  u32 innermost(u32 node) const { return innermost_[node]; } // a part, or kNone
  bool is_within(u32 part, u32 outer) const {
    while (part != outer && part != kNone)
      part = parts_[part].parent;
    return part == outer;
  }

private:
  class Search;

  Vector<Part> parts_{"trace.loops.nest"};
  Vector<u32> innermost_{"trace.loops.nest"}; // by node
};
