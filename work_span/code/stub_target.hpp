// The target of a call of another object, through a linkage stub or its slot: code or, as long as
// the dynamic linker has not bound the slot, the name of a symbol.
#pragma once

#include "base/types.hpp"

struct StubTarget {
  GuestAddr address = 0;        // 0: not bound
  const char* symbol = nullptr; // if not bound: its name in the object; null: unknown
};

StubTarget target_of_stub(GuestAddr stub);
// Of a call through a slot (-fno-plt); empty for any other call.
StubTarget target_of_call(GuestAddr instruction);
