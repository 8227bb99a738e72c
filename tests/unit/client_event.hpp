// An event of the client, and how translated code passes it on.
#pragma once

#include "base/types.hpp"

struct ClientEvent {
  enum class How {
    logged,        // by translated code itself
    indirect_call, // the others by a helper, which may or may not log it
    stub_jump,
    jump,
    call_now, // not logged
    return_now,
    jump_now,
    look, // no event: somebody asks for the results so far
  } how;
  u32 kind_and_site;
  GuestAddr sp;
  u64 time;
  GuestAddr target;      // a routine's entry, a return address
  GuestAddr address = 0; // of what is not logged, as event_call and its like have it
};
