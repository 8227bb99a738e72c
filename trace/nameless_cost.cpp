#include "trace/nameless_cost.hpp"

#include "base/printable.hpp"
#include "base/valgrind.hpp"
#include "trace/debug_info/debug_file.hpp"
#include "trace/routines.hpp"

namespace {

// Prints how to get the names of an object's code.
void print_remedy(const char* object, const char* report) {
  if (VG_(strcmp)(object, kInNoFile) == 0) {
    VG_(umsg)("code that is in no file, such as a JIT compiler's\n");
    return;
  }
  const Vector<char> shown = printable(object);
  const Vector<char> unread = not_inflatable(object);
  if (unread.empty()) {
    VG_(umsg)
    ("%s: compile it with -g, or install its debug symbols (Debian's PACKAGE-dbgsym, "
     "debuginfod); %s names the package\n",
     shown.begin(), report);
    return;
  }
  // The core compares the checksum of a debug file that it found by its link, but not by its build
  // id.
  const bool is_linked = VG_(strcmp)(unread.begin(), object) != 0 &&
                         VG_(strstr)(unread.begin(), "/.build-id/") == nullptr;
  VG_(umsg)
  ("%s: its debug information is compressed in a way that Valgrind cannot read; try: objcopy "
   "--decompress-debug-sections %s%s\n",
   shown.begin(), printable(unread.begin()).begin(),
   is_linked ? ", then --add-gnu-debuglink it again" : "");
}

} // namespace

NamelessCost::NamelessCost() { by_object_.resize(routines->objects().size()); }

void NamelessCost::add(RoutineId id, u64 cost) {
  const Routine& routine = (*routines)[id];
  all_ += cost;
  if (routine.file != 0 || VG_(strstr)(routine.name, "+0x") == nullptr)
    return;
  nameless_ += cost;
  u64& of_object = by_object_[routine.object - 1];
  of_object += cost;
  if (of_object > most_) {
    most_ = of_object;
    object_ = routine.object;
  }
}

void NamelessCost::print(const char* report) const {
  if (all_ == 0 || nameless_ < all_ / 5)
    return;
  VG_(umsg)
  ("%llu%% of the cost has no names, most of it in ", (ULong)((100 * nameless_ + all_ / 2) / all_));
  print_remedy(routines->objects()[object_], report);
}
