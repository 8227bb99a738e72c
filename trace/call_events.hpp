// What translated code calls at the ends of blocks that can be a call or a return. `sp` is the
// stack pointer after the instruction, `site` an address within it.
//
// All act on the stack that runs (threads::current), and on lazy symbol binding: from a linkage
// stub's jump into the dynamic linker to the jump from there to the routine, the thread is
// suspended.
#pragma once

#include "trace/routines.hpp"

extern RoutineTable* routines; // the program's; set before the client starts

extern "C" {
void event_call(RoutineId routine, GuestAddr sp, GuestAddr return_address);
void event_call_stub(GuestAddr sp, GuestAddr return_address);
void event_call_indirect(GuestAddr target, GuestAddr sp, GuestAddr return_address);
void event_return(GuestAddr target, GuestAddr sp, GuestAddr site);
void event_jump(GuestAddr target, GuestAddr sp, GuestAddr site); // anywhere, known only now
// Known to be a routine's entry.
void event_jump_to_entry(RoutineId routine, GuestAddr sp, GuestAddr site);
// The same of a linkage stub; only if the tool wants to know where calls come from.
void event_jump_to_stub(GuestAddr sp, GuestAddr site);
void event_stub_jump(GuestAddr target, GuestAddr sp, GuestAddr site); // by a linkage stub
// By a return or jump of a block with an event_stack_pointer_set.
void event_arrive(GuestAddr target, GuestAddr sp, GuestAddr site);
// Within a block: the stack pointer gets a value that does not come from the old one.
void event_stack_pointer_set(GuestAddr old_sp, GuestAddr sp);
}
