// Decodes a block of the client's code with VEX: its instructions, and where control goes from
// there. May be used while the core translates other code.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

enum class BlockEnd : u8 {
  jump, // to all of `targets`; none for a return, or if the target is not code
  call, // and the block behind it may follow
  computed_jump,
};

struct DecodedBlock {
  struct Instruction {
    GuestAddr address;
    u8 length;   // in bytes
    bool stores; // into memory
  };
  Vector<Instruction> instructions{"trace.loops.decoded"};
  Vector<GuestAddr> targets{"trace.loops.decoded"};
  GuestAddr next = 0;   // address behind the last instruction
  GuestAddr callee = 0; // 0: no call, or one of an unknown address
  BlockEnd end = BlockEnd::jump;
};

// Valid until the next call. Without instructions if there is no code at `address`.
const DecodedBlock& decode_block(GuestAddr address);
