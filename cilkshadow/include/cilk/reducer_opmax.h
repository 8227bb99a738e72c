#include "reducer_max.h"
