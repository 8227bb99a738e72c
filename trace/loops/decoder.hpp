// What VEX finds in a block of the client's code: its instructions, and where control goes from
// there.
//
// Not to be called while the core translates code.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

enum class BlockEnd : u8 {
  jump, // to all of `targets`, which may be none: a return, or what is no code
  call, // and goes on behind it, perhaps
  computed_jump,
};

struct DecodedBlock {
  struct Instruction {
    GuestAddr address;
    bool stores; // into memory
  };
  Vector<Instruction> instructions{"trace.loops.decoded"};
  Vector<GuestAddr> targets{"trace.loops.decoded"};
  GuestAddr next = 0;   // behind the last instruction
  GuestAddr callee = 0; // 0: no call, or of what the code does not tell
  BlockEnd end = BlockEnd::jump;
};

// Valid until the next call. No instructions: there is no code at `address`.
const DecodedBlock& decode_block(GuestAddr address);
