/* Reducers for least and greatest values. Part of cilk/cilk.h, under its licence. */
#include "reducer_max.h"
#include "reducer_min.h"
