#include "aprof/statistics.hpp"

#include "aprof/collector.hpp"
#include "aprof/engine/engine.hpp"
#include "aprof/helpers.hpp"
#include "aprof/profile/slow_paths.hpp"
#include "base/valgrind.hpp"

namespace statistics {

u64 accesses_reported;

namespace {

void print(const char* what, u64 times) {
  VG_(message)(Vg_DebugMsg, "aprof-trms: %'15llu  %s\n", (ULong)times, what);
}

void print(const char* what, SlowPath cause) {
  print(what, slow_paths[static_cast<unsigned>(cause)]);
}

} // namespace

void print() {
  u64 calls = 0;
  u64 routines = 0;
  collector::complete_profile().for_each_part([&](const RoutineRecord& record) {
    calls += record.calls;
    routines++;
  });
  const ShadowMemory& shadow = engine().shadow();
  print("accesses of translated code", accesses_reported);
  print("  first accesses", SlowPath::first_access);
  print("  to what an activation below the caller accessed last", SlowPath::ancestor);
  print("  induced accesses", SlowPath::induced_access);
  print("  to cells with different pasts", SlowPath::unlike_cells);
  print("  not aligned, at high addresses or across chunks", SlowPath::unaligned);
  print("  of other sizes, or across chunks", SlowPath::any_size);
  print("  to indexed or unknown cells, or by the dynamic linker's binder", SlowPath::no_blocks);
  print("    of these, to indexed cells that change", SlowPath::indexed);
  print("  to unknown chunks", SlowPath::unknown_chunk);
  print("calls", calls);
  print("  that took the slow path", SlowPath::call);
  print("  whose return took the slow path", SlowPath::return_);
  print("  unlike the latest of their routine", SlowPath::unlike_activation);
  print("records of routines", routines);
  print("live chunks", shadow.live().size());
  print("  blocks of timestamps", shadow.blocks());
  print("times that timestamps were packed", shadow.packed());
  print("  indexed", shadow.indexed());
  print("  made blocks again", shadow.promoted());
  print("renumberings of timestamps", engine().renumberings());
}

} // namespace statistics
