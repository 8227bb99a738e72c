// The flow graph of a routine's machine code, as far as it is known: everything reachable from its
// entry by jumps with known targets, and from those targets of computed jumps that have been seen.
//
// VEX decodes the code block by block, without translating it. Cost: 1 to 2 us per block.
#pragma once

#include "base/address_map.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/loops/decoder.hpp"

#include <span>

class FlowGraph {
public:
  // A block ends where another begins, and after an instruction that may jump.
  struct Block {
    GuestAddr begin;
    u32 first; // index of its first instruction
    u32 count;
    bool is_split_off; // was a part of another block before
  };
  enum class EdgeKind : u8 { jump, behind_call };
  // Between instructions, by their indices, which do not change as blocks are split.
  struct Edge {
    u32 from;
    u32 to; // kNone: no code
    EdgeKind kind;
  };

  static constexpr u32 kNone = ~u32{0};

  // Whether an address is code of the routine that contains `root`: not at all, apart from the
  // root's symbol, or in that symbol, together with everything in between.
  enum class Within { no, apart, symbol };
  using IsWithin = Within (*)(GuestAddr root, GuestAddr address);

  // Whether a routine is known to begin at an address without a symbol. Code may run into it:
  // behind a call that does not return.
  using IsEntry = bool (*)(GuestAddr address);

  FlowGraph(IsWithin is_within, IsEntry is_entry, GuestAddr root)
      : is_within_(is_within), is_entry_(is_entry), low_(root), high_(root) {
    instructions_.reserve(128); // enough for most routines
    block_of_.reserve(128);
    blocks_.reserve(32);
    edges_.reserve(64);
  }

  // Control enters the routine there.
  void add_root(GuestAddr address);
  // A computed jump has gone to that target.
  void add_jump(GuestAddr from, GuestAddr to);

  const Vector<Block>& blocks() const { return blocks_; }
  const Vector<Edge>& edges() const { return edges_; }
  const Vector<GuestAddr>& roots() const { return roots_; }
  struct Call {
    u32 instruction;
    GuestAddr next;   // its return address
    GuestAddr callee; // 0: not in the code
  };
  const Vector<Call>& calls() const { return calls_; }
  // The call that returns to an address; 0 if there is none.
  GuestAddr call_before(GuestAddr next) const;
  // Targets of jumps from elsewhere, or of jumps whose targets are not in the code.
  const Vector<GuestAddr>& computed_targets() const { return computed_targets_; }
  bool has_computed_jumps() const { return !computed_jumps_.empty(); }
  const Vector<u32>& computed_jumps() const { return computed_jumps_; } // instructions

  // The block that contains an instruction; kNone if there is none.
  u32 block_of(u32 instruction) const {
    return instruction == kNone ? kNone : block_of_[instruction];
  }
  u32 block_at(GuestAddr instruction) const { return block_of(find(instruction)); }
  // Whether a block begins there.
  bool has_block(GuestAddr begin) const {
    const u32 block = block_at(begin);
    return block != kNone && blocks_[block].begin == begin;
  }
  GuestAddr address_of(u32 instruction) const { return instructions_[instruction].address; }
  GuestAddr last_instruction(const Block& block) const {
    return address_of(block.first + block.count - 1);
  }
  std::size_t bytes(const Block& block) const {
    return last_instruction(block) + instructions(block).back().length - block.begin;
  }
  std::span<const DecodedBlock::Instruction> instructions(const Block& block) const {
    return {instructions_.begin() + block.first, block.count};
  }

private:
  struct Target {
    GuestAddr address;
    u32 edge; // that leads there; kNone: control enters the routine there
  };

  u32 find(GuestAddr instruction) const;
  void explore(Target from);
  u32 decode(GuestAddr address);
  void split(u32 instruction);
  void lead(u32 from, GuestAddr to, EdgeKind kind = EdgeKind::jump);

  // Exploration stops here, after 1 s of decoding: larger code is hardly a routine.
  static constexpr std::size_t kMostBlocks = 150'000;

  bool is_within(GuestAddr address);
  bool is_entry_of_another(GuestAddr address) const;

  IsWithin is_within_;
  IsEntry is_entry_;
  GuestAddr low_; // range known to belong to the symbol
  GuestAddr high_;
  Vector<Block> blocks_{"trace.loops.blocks"};
  Vector<Edge> edges_{"trace.loops.edges"};
  Vector<GuestAddr> roots_{"trace.loops.roots"};
  Vector<GuestAddr> computed_targets_{"trace.loops.roots"};
  Vector<u32> computed_jumps_{"trace.loops.roots"};
  Vector<Call> calls_{"trace.loops.calls"};
  Vector<DecodedBlock::Instruction> instructions_{"trace.loops.instructions"};
  Vector<u32> block_of_{"trace.loops.instructions"};                   // by instruction
  mutable AddressMap<u32> instruction_at_{"trace.loops.instructions"}; // by address
  Vector<Target> unexplored_{"trace.loops.edges"};
};
