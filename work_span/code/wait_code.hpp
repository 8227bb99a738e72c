// Whether code that has acquired a lock may wait at a condition before it releases the lock: what
// tells a thread that finds its turn already come from one that only uses what others have changed
// (order/turns.hpp).
//
// The machine code is looked through, from where the call that acquired the lock returns: in the
// routine that made it, in those that it calls, and in its callers as long as the lock is held when
// it returns. The search ends where a lock is acquired or released. It does not see calls by
// pointers. Costs 1 ms at most, once for each chain of callers.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

namespace wait_code {

// `returns`: where the call that acquired the lock returns to, then its caller, and so on. Gives
// where the calls by which the code may wait would return to; valid for good.
const Vector<GuestAddr>& waits_ahead(const Vector<GuestAddr>& returns);

} // namespace wait_code
