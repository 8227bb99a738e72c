// Compares the loops of random flow graphs with their definition: in a reducible graph, a loop has
// the blocks from which its header can be reached without leaving the set that the header
// dominates.
#include "trace/loops/loop_nest.hpp"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

namespace {

using Set = std::set<u32>;

Vector<u32> only(u32 root) {
  Vector<u32> roots("test");
  roots.push_back(root);
  return roots;
}

// Nodes reachable from 0 without `removed`.
Set reached(const Vector<FlowEdge>& edges, u32 removed) {
  Set seen;
  std::vector<u32> next;
  if (removed != 0)
    next.push_back(0);
  while (!next.empty()) {
    const u32 node = next.back();
    next.pop_back();
    if (!seen.insert(node).second)
      continue;
    for (const FlowEdge& edge : edges)
      if (edge.from == node && edge.to != removed)
        next.push_back(edge.to);
  }
  return seen;
}

bool dominates(const Vector<FlowEdge>& edges, u32 a, u32 b) {
  return a == b || !reached(edges, a).contains(b);
}

// The natural loop of a header: everything that reaches its back edges without passing the header.
Set natural_loop(const Vector<FlowEdge>& edges, u32 header) {
  Set body;
  std::vector<u32> next;
  for (const FlowEdge& edge : edges)
    if (edge.to == header && dominates(edges, header, edge.from))
      next.push_back(edge.from);
  if (next.empty())
    return {};
  body.insert(header);
  while (!next.empty()) {
    const u32 node = next.back();
    next.pop_back();
    if (!body.insert(node).second)
      continue;
    for (const FlowEdge& edge : edges)
      if (edge.to == node)
        next.push_back(edge.from);
  }
  return body;
}

// Finds the nest in memory that served other graphs before.
const LoopNest& nest_of(u32 nodes, const Vector<u32>& roots, const Vector<FlowEdge>& edges) {
  static FlowView graph;
  static LoopNest nest;
  graph.assign(nodes, roots, edges);
  nest.find(graph);
  return nest;
}

Set members(const LoopNest& nest, u32 nodes, u32 part) {
  Set found;
  for (u32 node = 0; node < nodes; node++)
    if (nest.innermost(node) != LoopNest::kNone && nest.is_within(nest.innermost(node), part))
      found.insert(node);
  return found;
}

// A structured program: all of its graphs are reducible.
struct Program {
  explicit Program(unsigned seed) : random(seed) { statements(add(), 4); }

  u32 add() { return nodes++; }
  void lead(u32 from, u32 to) { edges.push_back({from, to, false}); }
  unsigned choose(unsigned among) { return static_cast<unsigned>(random() % among); }

  // Adds statements after `at`; returns where control continues.
  u32 statements(u32 at, unsigned depth) {
    for (unsigned count = 1 + choose(3); count-- > 0;)
      at = statement(at, depth);
    return at;
  }

  u32 statement(u32 at, unsigned depth) {
    const unsigned kind = depth == 0 ? 0 : choose(4);
    const u32 after = add();
    if (kind == 0) {
      lead(at, after);
    } else if (kind == 1) { // if
      const u32 then = add();
      lead(at, then);
      lead(at, after);
      lead(statements(then, depth - 1), after);
    } else if (kind == 2) { // while, possibly with a break or a continue
      const u32 header = add();
      const u32 body = add();
      lead(at, header);
      lead(header, body);
      lead(header, after);
      if (choose(2) == 0)
        lead(body, after);
      if (choose(3) == 0)
        lead(body, header);
      lead(statements(body, depth - 1), header);
    } else { // do while
      const u32 body = add();
      lead(at, body);
      const u32 end = statements(body, depth - 1);
      lead(end, body);
      lead(end, after);
    }
    return after;
  }

  std::mt19937 random;
  u32 nodes = 0;
  Vector<FlowEdge> edges{"test"};
};

TEST(LoopNest, HasTheNaturalLoopsOfReducibleGraphs) {
  for (unsigned seed = 0; seed < 400; seed++) {
    const Program program(seed);
    const Vector<u32> roots = only(0);
    const LoopNest& nest = nest_of(program.nodes, roots, program.edges);
    std::set<Set> expected;
    for (u32 node = 0; node < program.nodes; node++)
      if (const Set loop = natural_loop(program.edges, node); !loop.empty())
        expected.insert(loop);
    std::set<Set> found;
    for (u32 part = 0; part < nest.parts().size(); part++) {
      EXPECT_FALSE(nest.parts()[part].irreducible);
      const Set of = members(nest, program.nodes, part);
      EXPECT_TRUE(of.contains(nest.parts()[part].header));
      EXPECT_EQ(of, natural_loop(program.edges, nest.parts()[part].header));
      found.insert(of);
    }
    ASSERT_EQ(found, expected) << "seed " << seed;
  }
}

TEST(LoopNest, AnyGraphsPartsAreConnectedAndNested) {
  for (unsigned seed = 0; seed < 400; seed++) {
    std::mt19937 random(seed);
    const u32 nodes = 2 + random() % 12;
    Vector<FlowEdge> edges("test");
    for (u32 node = 1; node < nodes; node++) // each is reached
      edges.push_back({static_cast<u32>(random() % node), node, false});
    for (u32 more = random() % (2 * nodes); more > 0; more--)
      edges.push_back(
          {static_cast<u32>(random() % nodes), static_cast<u32>(random() % nodes), false});
    const Vector<u32> roots = only(0);
    const LoopNest& nest = nest_of(nodes, roots, edges);
    // A graph without the edges into headers has no cycle.
    Vector<FlowEdge> left("test");
    for (const FlowEdge& edge : edges) {
      bool removed = false;
      for (u32 part = 0; part < nest.parts().size(); part++)
        removed |= nest.parts()[part].header == edge.to &&
                   nest.innermost(edge.from) != LoopNest::kNone &&
                   nest.is_within(nest.innermost(edge.from), part);
      if (!removed)
        left.push_back(edge);
    }
    std::vector<unsigned> incoming(nodes);
    for (const FlowEdge& edge : left)
      incoming[edge.to]++;
    std::vector<u32> ready;
    for (u32 node = 0; node < nodes; node++)
      if (incoming[node] == 0)
        ready.push_back(node);
    u32 sorted = 0;
    while (!ready.empty()) {
      const u32 node = ready.back();
      ready.pop_back();
      sorted++;
      for (const FlowEdge& edge : left)
        if (edge.from == node && --incoming[edge.to] == 0)
          ready.push_back(edge.to);
    }
    ASSERT_EQ(sorted, nodes) << "seed " << seed;
    for (u32 part = 0; part < nest.parts().size(); part++) {
      const u32 parent = nest.parts()[part].parent;
      EXPECT_TRUE(parent == LoopNest::kNone || parent < part);
      EXPECT_TRUE(members(nest, nodes, part).contains(nest.parts()[part].header));
    }
  }
}

TEST(LoopNest, ALoopWithTwoEntriesIsIrreducible) {
  Vector<FlowEdge> edges("test");
  for (const auto& [from, to] : {std::pair{0u, 1u}, {0u, 2u}, {1u, 2u}, {2u, 1u}})
    edges.push_back({from, to, false});
  const Vector<u32> roots = only(0);
  const LoopNest& nest = nest_of(3, roots, edges);
  ASSERT_EQ(nest.parts().size(), 1u);
  EXPECT_TRUE(nest.parts()[0].irreducible);
}

// The code behind a call that never returns may be part of a loop.
TEST(LoopNest, DoubtfulEdgesMakeNoEntryWhereAnotherIs) {
  Vector<FlowEdge> edges("test");
  edges.push_back({0, 1, false});
  edges.push_back({0, 3, false});
  edges.push_back({1, 2, false});
  edges.push_back({2, 1, false});
  edges.push_back({3, 2, true});
  const Vector<u32> roots = only(0);
  const LoopNest& nest = nest_of(4, roots, edges);
  ASSERT_EQ(nest.parts().size(), 1u);
  EXPECT_EQ(nest.parts()[0].header, 1u);
  EXPECT_FALSE(nest.parts()[0].irreducible);
}

} // namespace
