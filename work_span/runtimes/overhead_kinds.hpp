// The kind of overhead that a routine causes, by its name.
#pragma once

#include "trace/routines.hpp"
#include "work_span/dag/overhead.hpp"

// `none` if the name does not tell: then it is what its caller is doing.
OverheadKind overhead_kind_of(const Routine& routine);
