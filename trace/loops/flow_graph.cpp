#include "trace/loops/flow_graph.hpp"

#include "trace/loops/decoder.hpp"

#include <algorithm>

u32 FlowGraph::find(GuestAddr instruction) const {
  const u32* const found = instruction_at_.find(instruction);
  return found == nullptr ? kNone : *found;
}

GuestAddr FlowGraph::call_before(GuestAddr next) const {
  for (const Call& call : calls_)
    if (call.next == next)
      return address_of(call.instruction);
  return 0;
}

void FlowGraph::add_root(GuestAddr address) {
  if (!roots_.empty())
    computed_targets_.push_back(address);
  roots_.push_back(address);
  explore({address, kNone});
}

void FlowGraph::add_jump(GuestAddr from, GuestAddr to) {
  const auto edge = static_cast<u32>(edges_.size());
  edges_.push_back({find(from), kNone, EdgeKind::jump});
  computed_targets_.push_back(to);
  explore({to, edge});
}

void FlowGraph::explore(Target from) {
  unexplored_.push_back(from);
  while (!unexplored_.empty() && blocks_.size() < kMostBlocks) {
    const Target target = unexplored_.back();
    unexplored_.pop_back();
    u32 instruction = find(target.address);
    if (instruction == kNone)
      instruction = decode(target.address);
    else if (blocks_[block_of(instruction)].first != instruction)
      split(instruction);
    if (target.edge != kNone)
      edges_[target.edge].to = instruction;
  }
  for (; !unexplored_.empty(); unexplored_.pop_back()) // too large: known blocks are still led to
    if (const Target& left = unexplored_.back(); left.edge != kNone)
      if (const u32 known = find(left.address);
          known != kNone && blocks_[block_of(known)].first == known)
        edges_[left.edge].to = known;
}

bool FlowGraph::is_within(GuestAddr address) {
  if (low_ <= address && address <= high_)
    return true;
  const Within within = is_within_(low_, address);
  if (within == Within::symbol) {
    low_ = std::min(low_, address);
    high_ = std::max(high_, address);
  }
  return within != Within::no;
}

bool FlowGraph::is_entry_of_another(GuestAddr address) const {
  return is_entry_(address) && std::find(roots_.begin(), roots_.end(), address) == roots_.end();
}

void FlowGraph::lead(u32 from, GuestAddr to, EdgeKind kind) {
  if (!is_within(to) || is_entry_of_another(to))
    return;
  unexplored_.push_back({to, static_cast<u32>(edges_.size())});
  edges_.push_back({from, kNone, kind});
}

// Returns the first instruction of the new block; kNone if there is no code.
u32 FlowGraph::decode(GuestAddr address) {
  const auto number = static_cast<u32>(blocks_.size());
  const auto first = static_cast<u32>(instructions_.size());
  const DecodedBlock& decoded = decode_block(address);
  bool ends_before = false; // where another block or routine begins
  for (const DecodedBlock::Instruction& instruction : decoded.instructions) {
    ends_before = find(instruction.address) != kNone ||
                  (instruction.address != address && is_entry_(instruction.address));
    if (ends_before) {
      lead(static_cast<u32>(instructions_.size()) - 1, instruction.address);
      break;
    }
    instruction_at_.insert(instruction.address, static_cast<u32>(instructions_.size()));
    instructions_.push_back(instruction);
    block_of_.push_back(number);
  }
  const auto count = static_cast<u32>(instructions_.size()) - first;
  if (count == 0) // no code
    return kNone;
  blocks_.push_back({address, first, count, false});
  if (ends_before)
    return first;
  const u32 last = first + count - 1;
  for (const GuestAddr target : decoded.targets)
    lead(last, target);
  if (decoded.end == BlockEnd::call) {
    calls_.push_back({last, decoded.next, decoded.callee});
    lead(last, decoded.next, EdgeKind::behind_call);
  }
  if (decoded.end == BlockEnd::computed_jump)
    computed_jumps_.push_back(last);
  return first;
}

// Makes an instruction the first one of a block.
void FlowGraph::split(u32 instruction) {
  Block& head = blocks_[block_of(instruction)];
  const u32 kept = instruction - head.first;
  const Block tail{address_of(instruction), instruction, head.count - kept, true};
  head.count = kept;
  for (u32 i = 0; i < tail.count; i++)
    block_of_[instruction + i] = static_cast<u32>(blocks_.size());
  edges_.push_back({instruction - 1, instruction, EdgeKind::jump});
  blocks_.push_back(tail);
}
