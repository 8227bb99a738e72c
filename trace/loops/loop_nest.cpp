#include "trace/loops/loop_nest.hpp"

void FlowEdges::assign(u32 nodes, const Vector<FlowEdge>& edges, u32 FlowEdge::*end) {
  first_.clear();
  first_.resize(nodes + 1);
  for (const FlowEdge& edge : edges)
    first_[edge.*end]++;
  for (u32 node = 0; node < nodes; node++)
    first_[node + 1] += first_[node];
  sorted_.resize(edges.size());
  for (std::size_t i = edges.size(); i-- > 0;) // each node's are filled from its last one on
    sorted_[--first_[edges[i].*end]] = edges[i];
}

void LoopNest::find(const FlowView& graph) {
  graph_ = &graph;
  parts_.clear();
  members_.clear();
  innermost_.clear();
  nodes_.clear();
  nodes_.resize(graph.nodes);
  innermost_.reserve(graph.nodes);
  for (u32 node = 0; node < graph.nodes; node++)
    innermost_.push_back(kNone);
  for (const u32 root : graph.roots)
    nodes_[root].is_root = true;
  set_ = visited_ = 0;
  for (const u32 root : graph.roots)
    visit_all_from(root);
  while (!unsearched_.empty()) {
    const Members part = unsearched_.back();
    unsearched_.pop_back();
    search_within(part);
  }
}

void LoopNest::search_within(Members part) {
  set_ = nodes_[members_[part.first]].set;
  visited_ = 0;
  for (const u32 node : nodes_of(part))
    nodes_[node].order = 0;
  for (std::size_t i = 0; i < part.size; i++) // `members_` may grow
    visit_all_from(members_[part.first + i]);
}

void LoopNest::visit_all_from(u32 start) {
  if (nodes_[start].order != 0)
    return;
  begin(start);
  while (!visits_.empty()) {
    Visit& visit = visits_.back();
    const std::span<const FlowEdge> successors = graph_->successors.of(visit.node);
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

void LoopNest::begin(u32 node) {
  nodes_[node].order = nodes_[node].low = ++visited_;
  if (set_ == 0)
    nodes_[node].rank = visited_;
  visits_.push_back({node, 0});
  stack_.push_back(node);
}

void LoopNest::end_visit() {
  const u32 node = visits_.back().node;
  visits_.pop_back();
  if (!visits_.empty())
    lower(visits_.back().node, nodes_[node].low);
  if (nodes_[node].low == nodes_[node].order)
    end_component(node);
}

void LoopNest::end_component(u32 root) {
  // The members are on top of the stack.
  std::size_t first = stack_.size();
  do
    nodes_[stack_[--first]].order = kFinished;
  while (stack_[first] != root);
  const std::size_t size = stack_.size() - first;
  if (size == 1 && !leads_to_itself(root)) // true of most
    return stack_.pop_back();
  const Members members{members_.size(), size};
  for (; stack_.size() > first; stack_.pop_back())
    members_.push_back(stack_.back());
  add_part(members);
}

bool LoopNest::leads_to_itself(u32 node) const {
  const auto successors = graph_->successors.of(node);
  return !nodes_[node].is_header &&
         std::any_of(successors.begin(), successors.end(),
                     [node](const FlowEdge& edge) { return edge.to == node; });
}

void LoopNest::add_part(Members members) {
  const auto part = static_cast<u32>(parts_.size());
  const u32 parent = innermost_[members_[members.first]];
  for (const u32 node : nodes_of(members)) {
    nodes_[node].set = part + 1;
    innermost_[node] = part;
  }
  Part& added = parts_.push_back({kNone, parent, false});
  find_header(added, members);
  nodes_[added.header].is_header = true;
  if (members.size > 1)
    unsearched_.push_back(members);
}

void LoopNest::find_header(Part& part, Members members) const {
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
  const u32 set = nodes_[members_[members.first]].set;
  for (const u32 node : nodes_of(members)) {
    if (nodes_[node].is_root)
      add_entry(node, true);
    for (const FlowEdge& edge : graph_->predecessors.of(node))
      if (nodes_[edge.from].set != set)
        add_entry(node, !edge.doubtful);
  }
}
