#include "reducer_min.h"
