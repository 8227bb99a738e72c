// Finds quiet blocks: basic blocks that change nothing but registers and their own frame, with the
// bytes that they read and write there. A loop of such blocks that returns to its beginning with
// all of these bytes unchanged continues until another thread changes what it reads.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

#include <cstddef>

// A set of bytes of the guest's state and of the frame below the address in %rbp, as far as they
// matter to waiting loops.
class ByteSet {
public:
  static constexpr Int kOfState = 256;
  static constexpr Int kOfFrame = 512;

  static constexpr bool is_of_state(Int offset, Int size) {
    return 0 <= offset && offset + size <= kOfState;
  }
  static constexpr bool is_of_frame(Int offset, Int size) {
    return -kOfFrame <= offset && offset + size <= 0;
  }
  // A byte of the frame, by its offset from %rbp.
  static constexpr Int in_frame(Int offset) { return kOfState + kOfFrame + offset; }

  bool has(Int byte) const { return (words_[byte / 64] >> (byte % 64) & 1) != 0; }
  void add(Int byte) { words_[byte / 64] |= u64{1} << (byte % 64); }
  ByteSet& operator|=(const ByteSet& other) {
    for (std::size_t i = 0; i < kWords; i++)
      words_[i] |= other.words_[i];
    return *this;
  }
  ByteSet without(const ByteSet& other) const {
    ByteSet rest;
    for (std::size_t i = 0; i < kWords; i++)
      rest.words_[i] = words_[i] & ~other.words_[i];
    return rest;
  }
  bool meets(const ByteSet& other) const {
    for (std::size_t i = 0; i < kWords; i++)
      if ((words_[i] & other.words_[i]) != 0)
        return true;
    return false;
  }

private:
  static constexpr std::size_t kWords = (kOfState + kOfFrame) / 64;
  u64 words_[kWords] = {};
};

// A basic block that changes only bytes of the guest's state and of its frame; if it ends in a
// call, up to the call.
struct QuietBlock {
  static constexpr unsigned kMostNext = 3;

  GuestAddr begin = 0;
  u32 instructions = 0;
  bool calls = false; // it calls a routine that changes nothing either
  bool pauses = false;
  unsigned nexts = 0;
  GuestAddr next[kMostNext]; // the targets of its side exits, then of its end
  ByteSet read;              // before writing them
  ByteSet written;
};

// Returns false if the block is not quiet. In a loop that VEX has unrolled, the first round is
// examined.
bool find_quiet(const IRSB* block, QuietBlock& found);
