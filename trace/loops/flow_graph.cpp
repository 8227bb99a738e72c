#include "trace/loops/flow_graph.hpp"

#include "trace/loops/decoder.hpp"

#include <algorithm>

u32 FlowGraph::block_of(GuestAddr instruction) const {
  const u32* const block = block_of_.find(instruction);
  return block == nullptr ? kNone : *block;
}

GuestAddr FlowGraph::call_before(GuestAddr next) const {
  for (const Call& call : calls_)
    if (call.next == next)
      return call.instruction;
  return 0;
}

void FlowGraph::add_root(GuestAddr address) {
  if (!roots_.empty())
    computed_targets_.push_back(address);
  roots_.push_back(address);
  explore(address);
}

void FlowGraph::add_jump(GuestAddr from, GuestAddr to) {
  edges_.push_back({from, to, EdgeKind::jump});
  computed_targets_.push_back(to);
  explore(to);
}

void FlowGraph::explore(GuestAddr from) {
  unexplored_.push_back(from);
  while (!unexplored_.empty() && blocks_.size() < kMostBlocks) {
    const GuestAddr address = unexplored_.back();
    unexplored_.pop_back();
    const u32 known = block_of(address);
    if (known == kNone)
      decode(address);
    else if (blocks_[known].begin != address)
      split(known, address);
  }
  unexplored_.clear();
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

void FlowGraph::lead(GuestAddr from, GuestAddr to, EdgeKind kind) {
  if (!is_within(to))
    return;
  edges_.push_back({from, to, kind});
  unexplored_.push_back(to);
}

void FlowGraph::decode(GuestAddr address) {
  const auto number = static_cast<u32>(blocks_.size());
  Block block{address, static_cast<u32>(instructions_.size()), 0, false};
  const DecodedBlock& decoded = decode_block(address);
  for (const DecodedBlock::Instruction& instruction : decoded.instructions) {
    if (block_of_.find(instruction.address) != nullptr) { // falls into a known block
      blocks_.push_back(block);
      lead(instructions_.back().address, instruction.address);
      return;
    }
    if (instruction.address != address && is_entry_(instruction.address)) {
      blocks_.push_back(block);
      return;
    }
    block_of_.insert(instruction.address, number);
    instructions_.push_back(instruction);
    block.count++;
  }
  if (block.count == 0) // no code
    return;
  blocks_.push_back(block);
  const GuestAddr last = instructions_.back().address;
  for (const GuestAddr target : decoded.targets)
    lead(last, target);
  if (decoded.end == BlockEnd::call) {
    calls_.push_back({last, decoded.next, decoded.callee});
    lead(last, decoded.next, EdgeKind::behind_call);
  }
  if (decoded.end == BlockEnd::computed_jump)
    computed_jumps_.push_back(last);
}

void FlowGraph::split(u32 block, GuestAddr at) {
  Block& head = blocks_[block];
  u32 kept = 1;
  while (instructions_[head.first + kept].address != at)
    kept++;
  const auto number = static_cast<u32>(blocks_.size());
  const Block tail{at, head.first + kept, head.count - kept, true};
  head.count = kept;
  for (u32 i = 0; i < tail.count; i++)
    *block_of_.find(instructions_[tail.first + i].address) = number;
  edges_.push_back({instructions_[tail.first - 1].address, at, EdgeKind::jump});
  blocks_.push_back(tail);
}
