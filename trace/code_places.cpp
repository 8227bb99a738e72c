#include "trace/routines.hpp"

#include "base/pattern.hpp"
#include "base/valgrind.hpp"

namespace {

// Returns the debug info of the object that covers `address`; null if there is none. The core finds
// it only for addresses in .text. For .init, .fini and linkage stubs, it is found by the file that
// is mapped there.
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

// Keeps the core from demangling while the text of names does not matter.
class MangledNames {
public:
  MangledNames() : wanted_(VG_(clo_demangle)) { VG_(clo_demangle) = False; }
  ~MangledNames() { VG_(clo_demangle) = wanted_; }
  MangledNames(const MangledNames&) = delete;
  MangledNames& operator=(const MangledNames&) = delete;

private:
  Bool wanted_;
};

// Matches `jmp *offset(%rip)`, the body of every linkage stub, possibly after the instructions of
// control-flow protection.
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

// Address of the first instruction of the symbol that covers `address`.
GuestAddr RoutineTable::symbol_start(GuestAddr address) {
  const MangledNames names;
  const char* found;
  if (!VG_(get_fnname)(VG_(current_DiEpoch)(), address, &found))
    return address;
  const std::size_t length = VG_(strlen)(found);
  // The core returns a symbol's offset only as text: name+123.
  if (!VG_(get_fnname_w_offset)(VG_(current_DiEpoch)(), address, &found) || found[length] != '+')
    return address;
  return address - static_cast<GuestAddr>(VG_(strtoll10)(found + length + 1, nullptr));
}

bool RoutineTable::is_nameless(GuestAddr address) {
  const MangledNames names;
  const char* unused;
  return !VG_(get_fnname)(VG_(current_DiEpoch)(), address, &unused);
}

GuestAddr RoutineTable::address_in_file(GuestAddr address) {
  if (const DebugInfo* info = debug_info_of(address))
    return address - static_cast<GuestAddr>(VG_(DebugInfo_get_text_bias)(info));
  const NSegment* segment = VG_(am_find_nsegment)(address);
  if (segment != nullptr && segment->kind == SkFileC)
    return address - segment->start + static_cast<GuestAddr>(segment->offset);
  return address;
}

RoutineTable::Linkage RoutineTable::linkage(GuestAddr address) {
  const VgSectKind section = VG_(DebugInfo_sect_kind)(nullptr, address);
  if (section == Vg_SectText)
    // A routine that only jumps through a pointer looks the same.
    return Linkage::none;
  const bool in_section = section == Vg_SectPLT;
  if (!in_section && !is_nameless(address))
    return Linkage::none;
  if (has_stub_code(address))
    return Linkage::stub;
  return in_section ? Linkage::binding : Linkage::none;
}

bool RoutineTable::is_in_dynamic_linker(GuestAddr address) {
  static const char* latest; // name of the object
  static bool is_linker;
  const char* object;
  if (!VG_(get_objname)(VG_(current_DiEpoch)(), address, &object))
    return false;
  if (object != latest)
    is_linker = matches(VG_(basename)(object), {"ld-linux*.so*", "ld-2*.so"});
  latest = object;
  return is_linker;
}

bool RoutineTable::is_mapped(std::initializer_list<const char*> names) {
  for (const DebugInfo* info = VG_(next_DebugInfo)(nullptr); info != nullptr;
       info = VG_(next_DebugInfo)(info))
    if (matches(VG_(basename)(VG_(DebugInfo_get_filename)(info)), names))
      return true;
  return false;
}
