#include "trace/routines.hpp"

#include "base/pattern.hpp"
#include "base/valgrind.hpp"
#include "trace/late_entries.hpp"

namespace {

u64 hash(const char* text, u64 seed) { // FNV-1a
  for (; *text != 0; text++)
    seed = (seed ^ static_cast<u8>(*text)) * 0x100000001B3u;
  return seed;
}
constexpr u64 kHashSeed = 0xCBF29CE484222325u;

u32 current_epoch() { return VG_(current_DiEpoch)().n; }

// Length of `name` without a symbol version, foo@@GLIBC_2.34, and without the suffix that a
// compiler gives to the unlikely part of a function that it split off: foo.cold, foo.cold.3,
// demangled foo(int) [clone .cold].
std::size_t plain_length(const char* name) {
  if (const char* version = VG_(strchr)(name, '@'); version != nullptr && version != name)
    return static_cast<std::size_t>(version - name);
  const char* cold = nullptr;
  for (const char* at = name; (at = VG_(strstr)(at, ".cold")) != nullptr; at++)
    cold = at;
  if (cold == nullptr)
    return VG_(strlen)(name);
  const char* rest = cold + 5;
  while (*rest == '.' || VG_(isdigit)(*rest))
    rest++;
  constexpr char kClone[] = " [clone ";
  constexpr std::size_t kCloneLength = sizeof kClone - 1;
  const auto length = static_cast<std::size_t>(cold - name);
  if (*rest == ']' && rest[1] == 0 && length >= kCloneLength &&
      VG_(strncmp)(cold - kCloneLength, kClone, kCloneLength) == 0)
    return length - kCloneLength;
  return *rest == 0 ? length : VG_(strlen)(name);
}

bool is_cold_part(const char* name) {
  return plain_length(name) < VG_(strlen)(name) && VG_(strstr)(name, ".cold") != nullptr;
}

// Address of the first instruction of the symbol that covers `address`.
GuestAddr symbol_start(GuestAddr address) {
  const char* found;
  if (!VG_(get_fnname)(VG_(current_DiEpoch)(), address, &found))
    return address;
  const std::size_t length = VG_(strlen)(found);
  // The core tells a symbol's offset only in writing: name+123.
  if (!VG_(get_fnname_w_offset)(VG_(current_DiEpoch)(), address, &found) || found[length] != '+')
    return address;
  return address - static_cast<GuestAddr>(VG_(strtoll10)(found + length + 1, nullptr));
}

// What the object that covers `address` is known by; null if nothing is known. The core finds it by
// .text only, so .init, .fini and linkage stubs are looked for by the file that is mapped there.
const DebugInfo* debug_info_of(GuestAddr address) {
  if (const DebugInfo* info = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), address))
    return info;
  const NSegment* segment = VG_(am_find_nsegment)(address);
  const char* file = segment != nullptr ? VG_(am_get_filename)(segment) : nullptr;
  if (file == nullptr)
    return nullptr;
  for (const DebugInfo* info = VG_(next_DebugInfo)(nullptr); info != nullptr;
       info = VG_(next_DebugInfo)(info))
    if (VG_(strcmp)(VG_(DebugInfo_get_filename)(info), file) == 0)
      return info;
  return nullptr;
}

// A copy of a demangled name, which lives only until the next look-up.
class Name {
public:
  explicit Name(const char* text) : text_(VG_(strdup)("trace.name", text)) {}
  ~Name() { VG_(free)(text_); }
  Name(const Name&) = delete;
  Name& operator=(const Name&) = delete;
  char* text() { return text_; }
  void cut(std::size_t length) { text_[length] = 0; }

private:
  char* text_;
};

// `jmp *offset(%rip)`, the body of every linkage stub, after what control-flow protection puts
// before it.
bool has_stub_code(GuestAddr address) {
  constexpr std::size_t kLongest = 4 + 1 + 6;
  if (!VG_(am_is_valid_for_client)(address, kLongest, VKI_PROT_READ))
    return false;
  const auto* code = reinterpret_cast<const u8*>(address);
  if (code[0] == 0xF3 && code[1] == 0x0F && code[2] == 0x1E && code[3] == 0xFA)
    code += 4; // endbr64
  if (*code == 0xF2)
    code++; // bnd
  return code[0] == 0xFF && code[1] == 0x25;
}

} // namespace

GuestAddr RoutineTable::address_in_file(GuestAddr address) {
  if (const DebugInfo* info = debug_info_of(address))
    return address - static_cast<GuestAddr>(VG_(DebugInfo_get_text_bias)(info));
  const NSegment* segment = VG_(am_find_nsegment)(address);
  if (segment != nullptr && segment->kind == SkFileC)
    return address - segment->start + static_cast<GuestAddr>(segment->offset);
  return address;
}

u32 StringTable::intern(const char* text) {
  u64 key = hash(text, kHashSeed) | 1;
  for (;; key += 2) {
    const u32* id = by_hash_.find(key);
    if (id == nullptr)
      break;
    if (VG_(strcmp)((*this)[*id], text) == 0)
      return *id;
  }
  strings_.push_back(VG_(strdup)(cost_centre_, text));
  by_hash_.insert(key, size());
  return size();
}

[[gnu::noinline]] void RoutineTable::forget(u32 epoch) {
  epoch_ = epoch;
  called_.clear();
  entry_.clear();
  nameless_in_.clear();
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
    known.at_entry = RoutineId{Target::kUnknown}; // what has been called is an entry
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

// Only that it has been called tells that it is an entry: that must outlive changes of debug info.
void RoutineTable::call_of_nameless(GuestAddr address) {
  const u32 object = object_of(address);
  if (u32* known = nameless_called_.find(address))
    *known = object;
  else
    nameless_called_.insert(address, object);
  late_entries::found(address);
}

// None: it has not been, or what was there then is not any more.
RoutineId RoutineTable::called_before(GuestAddr address) {
  if (const RoutineId* known = called_.find(address))
    return *known;
  const u32* object = nameless_called_.find(address);
  return object != nullptr && is_nameless(address) && *object == object_of(address)
             ? called(address)
             : RoutineId::none;
}

[[gnu::noinline]] RoutineId RoutineTable::find_at_entry(GuestAddr address) {
  const RoutineId* known = entry_.find(address);
  if (known == nullptr) {
    const char* name;
    const bool is_entry =
        VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), address, &name) && !is_cold_part(name);
    const RoutineId routine = is_entry ? called(address) : RoutineId::none;
    known = &entry_.insert(address, routine);
  }
  return *known != RoutineId::none ? *known : called_before(address);
}

bool RoutineTable::same_routine(GuestAddr from, GuestAddr to) {
  const char* found;
  if (!VG_(get_fnname)(VG_(current_DiEpoch)(), from, &found))
    return false;
  Name name(found);
  name.cut(plain_length(name.text()));
  if (!VG_(get_fnname)(VG_(current_DiEpoch)(), to, &found))
    return false;
  const std::size_t length = plain_length(found);
  return VG_(strlen)(name.text()) == length && VG_(strncmp)(name.text(), found, length) == 0;
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

bool RoutineTable::is_nameless(GuestAddr address) {
  const char* unused;
  return !VG_(get_fnname)(VG_(current_DiEpoch)(), address, &unused);
}

RoutineTable::Linkage RoutineTable::linkage(GuestAddr address) {
  const VgSectKind section = VG_(DebugInfo_sect_kind)(nullptr, address);
  if (section == Vg_SectText)
    return Linkage::none; // be it a routine that does no more than jump through a pointer
  const bool in_section = section == Vg_SectPLT;
  if (!in_section && !is_nameless(address))
    return Linkage::none;
  if (has_stub_code(address))
    return Linkage::stub;
  return in_section ? Linkage::binding : Linkage::none;
}

bool RoutineTable::is_mapped(std::initializer_list<const char*> names) {
  for (const DebugInfo* info = VG_(next_DebugInfo)(nullptr); info != nullptr;
       info = VG_(next_DebugInfo)(info))
    if (matches(VG_(basename)(VG_(DebugInfo_get_filename)(info)), names))
      return true;
  return false;
}

RoutineTable::SourceLine RoutineTable::line_of(GuestAddr address) {
  const char* file_name = nullptr;
  const char* folder = nullptr;
  UInt line = 0;
  if (!VG_(get_filename_linenum)(VG_(current_DiEpoch)(), address, &file_name, &folder, &line))
    return {0, 0};
  if (folder == nullptr || *folder == 0 || *file_name == '/')
    return {files_.intern(file_name), line};
  Vector<char> path("trace.path");
  path.resize(VG_(strlen)(folder) + VG_(strlen)(file_name) + 2);
  VG_(sprintf)(path.begin(), "%s/%s", folder, file_name);
  return {files_.intern(path.begin()), line};
}

u32 RoutineTable::object_of(GuestAddr address) {
  const char* object = nullptr;
  return objects_.intern(VG_(get_objname)(VG_(current_DiEpoch)(), address, &object) ? object
                                                                                    : "???");
}

RoutineId RoutineTable::resolve(GuestAddr called_address) {
  const GuestAddr address = symbol_start(called_address); // an entry in the middle is foo's, too
  const u32 object = object_of(address);
  const auto [file, line] = line_of(address);
  const GuestAddr in_file = address_in_file(address);
  const char* found;
  if (VG_(get_fnname)(VG_(current_DiEpoch)(), address, &found)) {
    Name name(found);
    name.cut(plain_length(name.text()));
    return intern({object, file, line, in_file, name.text()});
  }
  char name[256];
  VG_(snprintf)(name, sizeof name, "%.200s+0x%lx", VG_(basename)(objects_[object]), in_file);
  return intern({object, 0, 0, in_file, name});
}

// The routine known to be this one, or a new one, with a name of its own.
RoutineId RoutineTable::intern(const Routine& candidate) {
  Routine added = candidate;
  const auto same = [&](const Routine& known) {
    return known.object == added.object && known.file == added.file &&
           (added.file != 0 || known.address == added.address) &&
           VG_(strcmp)(known.name, added.name) == 0;
  };
  const u64 place = added.file != 0 ? added.file : u64{1} << 63 | added.address;
  u64 key = hash(added.name, kHashSeed + added.object * 0x9E3779B97F4A7C15u + place) | 1;
  for (;; key += 2) {
    const RoutineId* id = by_identity_.find(key);
    if (id == nullptr)
      break;
    if (same((*this)[*id]))
      return *id;
  }
  added.name = VG_(strdup)("trace.routine.name", added.name);
  routines_.push_back(added);
  const RoutineId id{size()};
  by_identity_.insert(key, id);
  return id;
}
