// The flow graph of a routine's machine code, as far as it is known: what its entry and jumps with
// known targets lead to, and the targets of computed jumps that have been seen.
//
// VEX decodes the code, block by block, without making any of its own. That must not happen while
// the core translates code, as VEX has one place for what it works on.
// Cost: 1 to 2 us a block.
#pragma once

#include "base/address_map.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/loops/decoder.hpp"

#include <span>

class FlowGraph {
public:
  // Blocks end where another begins, and after an instruction that may go elsewhere.
  struct Block {
    GuestAddr begin;
    u32 first; // its instructions
    u32 count;
  };
  enum class EdgeKind : u8 { jump, behind_call };
  struct Edge {
    GuestAddr from; // an instruction
    GuestAddr to;
    EdgeKind kind;
  };

  static constexpr u32 kNone = ~u32{0};

  // Whether an address is code of the routine that has `root`; of its symbol, it is with all that
  // lies between.
  enum class Within { no, apart, symbol };
  using IsWithin = Within (*)(GuestAddr root, GuestAddr address);

  FlowGraph(IsWithin is_within, GuestAddr root) : is_within_(is_within), low_(root), high_(root) {
    instructions_.reserve(128); // as many routines have
    blocks_.reserve(32);
    edges_.reserve(64);
  }

  // Control enters the routine there.
  void add_root(GuestAddr address);
  // A computed jump's target.
  void add_jump(GuestAddr from, GuestAddr to);

  const Vector<Block>& blocks() const { return blocks_; }
  const Vector<Edge>& edges() const { return edges_; }
  const Vector<GuestAddr>& roots() const { return roots_; }
  struct Call {
    GuestAddr instruction;
    GuestAddr next; // where it returns to
  };
  const Vector<Call>& calls() const { return calls_; }
  // The call that returns to an address; 0: the graph has none.
  GuestAddr call_before(GuestAddr next) const;
  // Of jumps that came from elsewhere or whose targets the code does not tell.
  const Vector<GuestAddr>& computed_targets() const { return computed_targets_; }
  bool has_computed_jumps() const { return !computed_jumps_.empty(); }
  const Vector<GuestAddr>& computed_jumps() const { return computed_jumps_; } // instructions

  // Of the block that an instruction is in; kNone: the graph does not have it.
  u32 block_of(GuestAddr instruction) const;
  GuestAddr last_instruction(const Block& block) const {
    return instructions_[block.first + block.count - 1].address;
  }
  std::span<const DecodedBlock::Instruction> instructions(const Block& block) const {
    return {instructions_.begin() + block.first, block.count};
  }

private:
  void explore(GuestAddr from);
  void decode(GuestAddr address);
  void split(u32 block, GuestAddr at);
  void lead(GuestAddr from, GuestAddr to, EdgeKind kind = EdgeKind::jump);

  // Beyond this, code is taken for something else: 1 s to decode.
  static constexpr std::size_t kMostBlocks = 150'000;

  bool is_within(GuestAddr address);

  IsWithin is_within_;
  GuestAddr low_; // known to be of the symbol
  GuestAddr high_;
  Vector<Block> blocks_{"trace.loops.blocks"};
  Vector<Edge> edges_{"trace.loops.edges"};
  Vector<GuestAddr> roots_{"trace.loops.roots"};
  Vector<GuestAddr> computed_targets_{"trace.loops.roots"};
  Vector<GuestAddr> computed_jumps_{"trace.loops.roots"};
  Vector<Call> calls_{"trace.loops.calls"};
  Vector<DecodedBlock::Instruction> instructions_{"trace.loops.instructions"};
  mutable AddressMap<u32> block_of_{"trace.loops.instructions"};
  Vector<GuestAddr> unexplored_{"trace.loops.edges"};
};
