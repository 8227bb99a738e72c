// Where calls of other objects lead, by a linkage stub or through its slot: to code, or, as long as
// the dynamic linker has not bound it, to whatever a symbol's name will be bound to.
#pragma once

#include "base/types.hpp"

struct StubTarget {
  GuestAddr address = 0;        // 0: it is not bound
  const char* symbol = nullptr; // of what is not bound, as the object has it; null: not known
};

StubTarget target_of_stub(GuestAddr stub);
// Of a call through a slot (-fno-plt); of another one, nothing.
StubTarget target_of_call(GuestAddr instruction);
