// An event of the client, and the way in which translated code reports it.
#pragma once

#include "base/types.hpp"

struct ClientEvent {
  enum class How {
    logged,        // by translated code itself
    indirect_call, // this and the next two by a helper, which may log it or not
    stub_jump,
    jump,
    call_now, // not logged
    return_now,
    jump_now,
    look, // no event: the results so far are requested
  } how;
  u32 kind_and_site;
  GuestAddr sp;
  u64 time;
  GuestAddr target;      // a routine's entry or a return address
  GuestAddr address = 0; // if not logged: the argument of event_call and the like
};
