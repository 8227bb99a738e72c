// Finds out whether code that has acquired a lock may wait at a condition before it releases the
// lock. This tells a thread that finds its turn already come from one that only uses what others
// have changed (order/turns.hpp).
//
// The search follows the machine code from the return address of the call that acquired the lock:
// in the routine that made the call, in its callees, and in its callers as long as the lock is held
// when it returns. It ends where a lock is acquired or released, and does not follow calls through
// pointers. Costs at most 1 ms, once for each chain of callers.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

namespace wait_code {

// `returns`: the return address of the call that acquired the lock, then that of its caller, and so
// on. Returns the return addresses of the calls that may wait; valid for the whole run.
const Vector<GuestAddr>& waits_ahead(const Vector<GuestAddr>& returns);

} // namespace wait_code
