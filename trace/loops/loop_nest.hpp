// The loops of a flow graph, nested: Steensgaard's loop nesting forest. A strongly connected part
// of the graph is a loop; without the edges into its header, so is each that is left within it.
//
// Of a reducible graph these are the natural loops, those with one header united. A part that is
// entered at several nodes is irreducible: its header is the one of them that depth-first search
// meets first, of those that a certain edge leads to if there are any.
//
// Knows nothing of machine code. Cost: O(edges * depth of the nest).
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

#include <span>

// Nodes are numbered from 0.
struct FlowEdge {
  u32 from;
  u32 to;
  bool doubtful; // perhaps never taken: from a call to what lies behind it
};

// Edges by one of their ends.
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

// A graph, all of whose nodes are reached from `roots`, where control enters it.
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
