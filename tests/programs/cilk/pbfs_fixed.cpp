// pbfs.cpp without its bottleneck: a node of the bag is visited in parts.
#define GRAIN 8
#include "pbfs.cpp"
