#include "trace/loops/loop_nest.hpp"

#include <algorithm>
#include <utility>

FlowEdges::FlowEdges(u32 nodes, const Vector<FlowEdge>& edges, u32 FlowEdge::*end) {
  first_.resize(nodes + 1);
  for (const FlowEdge& edge : edges)
    first_[edge.*end + 1]++;
  for (u32 node = 0; node < nodes; node++)
    first_[node + 1] += first_[node];
  sorted_.resize(edges.size());
  Vector<u32> next("trace.loops.nest");
  copy(next, first_);
  for (const FlowEdge& edge : edges)
    sorted_[next[edge.*end]++] = edge;
}

// Finds Tarjan's strongly connected components of one set of nodes after the other: of all nodes,
// then of each part found, without the edges into its header.
class LoopNest::Search {
public:
  Search(LoopNest& nest, const FlowView& graph) : nest_(nest), graph_(graph) {
    nodes_.resize(graph.nodes);
    visits_.reserve(graph.nodes);
    stack_.reserve(graph.nodes);
    for (const u32 root : graph.roots)
      nodes_[root].is_root = true;
  }

  void run() {
    search(graph_.roots);
    while (!unsearched_.empty()) {
      const Vector<u32> members = std::move(unsearched_.back());
      unsearched_.pop_back();
      set_ = nodes_[members[0]].set;
      visited_ = 0;
      for (const u32 node : members)
        nodes_[node].order = 0;
      search(members);
    }
  }

private:
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

  void search(const Vector<u32>& starts) {
    for (const u32 start : starts)
      if (nodes_[start].order == 0)
        visit_all_from(start);
  }

  void visit_all_from(u32 start) {
    begin(start);
    while (!visits_.empty()) {
      Visit& visit = visits_.back();
      const std::span<const FlowEdge> successors = graph_.successors.of(visit.node);
      if (visit.next == successors.size()) {
        end_visit();
        continue;
      }
      const u32 to = successors[visit.next++].to;
      if (nodes_[to].set != set_ || nodes_[to].is_header)
        continue;
      if (nodes_[to].order == 0)
        begin(to);
      else
        lower(visit.node, nodes_[to].order);
    }
  }

  void begin(u32 node) {
    nodes_[node].order = nodes_[node].low = ++visited_;
    if (set_ == 0)
      nodes_[node].rank = visited_;
    visits_.push_back({node, 0});
    stack_.push_back(node);
  }

  void end_visit() {
    const u32 node = visits_.back().node;
    visits_.pop_back();
    if (!visits_.empty())
      lower(visits_.back().node, nodes_[node].low);
    if (nodes_[node].low == nodes_[node].order)
      end_component(node);
  }

  void lower(u32 node, u32 low) { nodes_[node].low = std::min(nodes_[node].low, low); }

  void end_component(u32 root) {
    // The members are on top of the stack.
    std::size_t first = stack_.size();
    do
      nodes_[stack_[--first]].order = kFinished;
    while (stack_[first] != root);
    const std::size_t size = stack_.size() - first;
    if (size == 1 && !leads_to_itself(root)) // true of most
      return stack_.pop_back();
    Vector<u32> members("trace.loops.nest");
    members.reserve(size);
    for (; stack_.size() > first; stack_.pop_back())
      members.push_back(stack_.back());
    add_part(std::move(members));
  }

  bool leads_to_itself(u32 node) const {
    const auto successors = graph_.successors.of(node);
    return !nodes_[node].is_header &&
           std::any_of(successors.begin(), successors.end(),
                       [node](const FlowEdge& edge) { return edge.to == node; });
  }

  void add_part(Vector<u32> members) {
    const auto part = static_cast<u32>(nest_.parts_.size());
    const u32 parent = nest_.innermost_[members[0]];
    for (const u32 node : members) {
      nodes_[node].set = part + 1;
      nest_.innermost_[node] = part;
    }
    Part& added = nest_.parts_.push_back({kNone, parent, false});
    find_header(added, members);
    nodes_[added.header].is_header = true;
    if (members.size() > 1)
      unsearched_.push_back(std::move(members));
  }

  void find_header(Part& part, const Vector<u32>& members) const {
    bool certain = false;
    const auto add_entry = [&](u32 node, bool is_certain) {
      if (part.header == kNone || is_certain > certain) {
        part.header = node;
        part.irreducible = false;
      } else if (is_certain == certain && part.header != node) {
        part.irreducible = true;
        if (nodes_[node].rank < nodes_[part.header].rank)
          part.header = node;
      }
      certain |= is_certain;
    };
    const u32 set = nodes_[members[0]].set;
    for (const u32 node : members) {
      if (nodes_[node].is_root)
        add_entry(node, true);
      for (const FlowEdge& edge : graph_.predecessors.of(node))
        if (nodes_[edge.from].set != set)
          add_entry(node, !edge.doubtful);
    }
  }

  LoopNest& nest_;
  const FlowView& graph_;
  Vector<Node> nodes_{"trace.loops.nest"};
  u32 set_ = 0; // the set that is being searched
  u32 visited_ = 0;
  Vector<Visit> visits_{"trace.loops.nest"};
  Vector<u32> stack_{"trace.loops.nest"}; // visited, but not in a component yet
  Vector<Vector<u32>> unsearched_{"trace.loops.nest"};
};

LoopNest::LoopNest(const FlowView& graph) {
  innermost_.reserve(graph.nodes);
  for (u32 node = 0; node < graph.nodes; node++)
    innermost_.push_back(kNone);
  Search(*this, graph).run();
}
