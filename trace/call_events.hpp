// The functions that translated code calls at the end of a block that may be a call or a return.
// `sp` is the stack pointer after the instruction, `site` an address within it.
//
// They act on the running stack (threads::current) and implement lazy symbol binding: from the jump
// of a linkage stub into the dynamic linker until the linker's jump to the routine, the thread is
// suspended.
#pragma once

#include "trace/routines.hpp"

extern RoutineTable* routines; // of the client; set before it starts

extern "C" {
void event_call(RoutineId routine, GuestAddr sp, GuestAddr return_address);
void event_call_stub(GuestAddr sp, GuestAddr return_address);
void event_call_indirect(GuestAddr target, GuestAddr sp, GuestAddr return_address);
void event_return(GuestAddr target, GuestAddr sp, GuestAddr site);
void event_jump(GuestAddr target, GuestAddr sp,
                GuestAddr site); // a jump whose target was unknown at translation
// A jump to the entry of a routine.
void event_jump_to_entry(RoutineId routine, GuestAddr sp, GuestAddr site);
// A jump to a linkage stub; only called if the tool needs the call sites of tail calls.
void event_jump_to_stub(GuestAddr sp, GuestAddr site);
void event_stub_jump(GuestAddr target, GuestAddr sp, GuestAddr site); // made by a linkage stub
// The return or jump at the end of a block that contains an event_stack_pointer_set.
void event_arrive(GuestAddr target, GuestAddr sp, GuestAddr site);
// Within a block: the stack pointer is set to a value that was not computed from its old one.
void event_stack_pointer_set(GuestAddr old_sp, GuestAddr sp);
}
