// The run-time libraries that hooks understand, besides the C library (thread_edges.hpp).
#pragma once

#include "cilkshadow/hooks.hpp"

// Each up to one without a name.
namespace openmp_locks {
extern const shadow::Hooked hooks[];
}
namespace libgomp {
extern const shadow::Hooked hooks[];
}
