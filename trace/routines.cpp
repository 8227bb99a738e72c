#include "trace/routines.hpp"

#include "base/valgrind.hpp"
#include "trace/clone_names.hpp"
#include "trace/late_entries.hpp"

namespace {

u32 current_epoch() { return VG_(current_DiEpoch)().n; }

bool is_cold_part(const char* name) {
  const CloneName clone = CloneName::of(name);
  return clone.hot < clone.length;
}

} // namespace

[[gnu::noinline]] void RoutineTable::forget(u32 epoch) {
  epoch_ = epoch;
  by_symbol_.clear();
  pieces_.clear();
  called_.clear();
  entry_.clear();
  nameless_in_.clear();
  latest_file_ = {};
  for (Target& target : targets_)
    target = {};
}

void RoutineTable::look_for_changes() {
  if (const u32 epoch = current_epoch(); epoch != epoch_) [[unlikely]]
    forget(epoch);
}

RoutineTable::Target& RoutineTable::target(GuestAddr address) {
  look_for_changes();
  Target& target = targets_[place(address)];
  if (target.address != address)
    target = {.address = address};
  return target;
}

RoutineId RoutineTable::called(GuestAddr address) {
  Target& known = target(address);
  if (index(known.called) == Target::kUnknown) {
    known.called = find_called(address);
    known.at_entry = RoutineId{Target::kUnknown}; // whatever has been called is an entry
  }
  return known.called;
}

RoutineId RoutineTable::at_entry(GuestAddr address) {
  Target& known = target(address);
  if (index(known.at_entry) == Target::kUnknown)
    known.at_entry = find_at_entry(address);
  return known.at_entry;
}

[[gnu::noinline]] RoutineId RoutineTable::find_called(GuestAddr address) {
  if (const RoutineId* known = called_.find(address))
    return *known;
  const bool is_stub = linkage(address) != Linkage::none;
  const RoutineId routine = is_stub ? RoutineId::stub : resolve(address);
  called_.insert(address, routine);
  if (!is_stub && is_nameless(address))
    call_of_nameless(address);
  return routine;
}

// Such an address is known as an entry only because it has been called. That must be remembered
// when debug info changes.
void RoutineTable::call_of_nameless(GuestAddr address) {
  if (is_nameless_entry(address))
    return;
  const u32 object = object_of(address);
  if (u32* known = nameless_called_.find(address))
    *known = object;
  else
    nameless_called_.insert(address, object);
  late_entries::found(address);
}

bool RoutineTable::is_nameless_entry(GuestAddr address) {
  const u32* object = nameless_called_.find(address);
  return object != nullptr && is_nameless(address) && *object == object_of(address);
}

// Returns none if the address has not been called, or if its code has been unmapped since.
RoutineId RoutineTable::called_before(GuestAddr address) {
  if (const RoutineId* known = called_.find(address))
    return *known;
  return is_nameless_entry(address) ? called(address) : RoutineId::none;
}

[[gnu::noinline]] RoutineId RoutineTable::find_at_entry(GuestAddr address) {
  const RoutineId* known = entry_.find(address);
  if (known == nullptr) {
    const char* name;
    const bool is_entry =
        VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), address, &name) && !is_cold_part(name);
    const bool is_stub = is_nameless(address) && linkage(address) == Linkage::stub;
    const RoutineId routine = is_entry  ? called(address)
                              : is_stub ? RoutineId::stub
                                        : RoutineId::none;
    known = &entry_.insert(address, routine);
  }
  return *known != RoutineId::none ? *known : called_before(address);
}

bool RoutineTable::same_symbol(GuestAddr from, GuestAddr to) {
  const char* name;
  const DiEpoch epoch = VG_(current_DiEpoch)();
  if (VG_(get_fnname)(epoch, from, &name))
    return VG_(get_fnname)(epoch, to, &name) && symbol_start(from) == symbol_start(to);
  return !VG_(get_fnname)(epoch, to, &name) &&
         VG_(am_find_nsegment)(from) == VG_(am_find_nsegment)(to) &&
         at_entry(to) == RoutineId::none;
}

bool RoutineTable::is_nameless_elsewhere(GuestAddr address, RoutineId routine) {
  Target& known = target(address);
  if (known.nameless_in == Target::kUnknown)
    known.nameless_in = find_nameless_in(address);
  return known.nameless_in != 0 && known.nameless_in != (*this)[routine].object;
}

[[gnu::noinline]] u32 RoutineTable::find_nameless_in(GuestAddr address) {
  if (const u32* known = nameless_in_.find(address))
    return *known;
  const char* object = nullptr;
  const bool nameless = is_nameless(address) && linkage(address) == Linkage::none &&
                        VG_(get_objname)(VG_(current_DiEpoch)(), address, &object);
  return nameless_in_.insert(address, nameless ? objects_.intern(object) : 0);
}

RoutineTable::SourceLine RoutineTable::line_of(GuestAddr address) {
  const char* name = nullptr;
  const char* folder = nullptr;
  UInt line = 0;
  if (!VG_(get_filename_linenum)(VG_(current_DiEpoch)(), address, &name, &folder, &line))
    return {0, 0};
  look_for_changes();
  if (name != latest_file_.name || folder != latest_file_.folder)
    latest_file_ = {folder, name, source_file(folder, name)};
  return {latest_file_.file, line};
}

u32 RoutineTable::source_file(const char* folder, const char* name) {
  if (folder == nullptr || *folder == 0 || *name == '/')
    return files_.intern(name);
  Vector<char> path("trace.path");
  path.resize(VG_(strlen)(folder) + VG_(strlen)(name) + 2);
  VG_(sprintf)(path.begin(), "%s/%s", folder, name);
  return files_.intern(path.begin());
}
