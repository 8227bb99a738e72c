#include "work_span/code/stub_target.hpp"

#include "base/valgrind.hpp"
#include "trace/client_memory.hpp"
#include "trace/routines.hpp"

#include <elf.h>

namespace {

// The beginning of the dynamic linker's struct link_map (<link.h>).
struct LinkMap {
  GuestAddr bias;
  const char* path;
  const Elf64_Dyn* dynamic;
};

// Reads instructions, as long as they are those of linkage stubs.
class Stub {
public:
  explicit Stub(GuestAddr at) : at_(at) {}

  // Skips the next bytes if they are these.
  bool skip(std::initializer_list<u8> bytes) {
    if (!VG_(am_is_valid_for_client)(at_, kLongest, VKI_PROT_READ))
      return false;
    const auto* code = reinterpret_cast<const u8*>(at_);
    for (const u8 byte : bytes)
      if (*code++ != byte)
        return false;
    at_ += bytes.size();
    return true;
  }
  void skip_protection() {
    skip({0xF3, 0x0F, 0x1E, 0xFA}); // endbr64
    skip({0xF2});                   // bnd
  }
  u32 number() {
    at_ += sizeof(u32);
    return *reinterpret_cast<const u32*>(at_ - sizeof(u32));
  }
  GuestAddr relative() {
    const auto distance = static_cast<int>(number());
    return at_ + static_cast<GuestAddr>(static_cast<i64>(distance));
  }

private:
  static constexpr std::size_t kLongest = 16;
  GuestAddr at_;
};

template <typename T> const T* readable(GuestAddr address) {
  return VG_(am_is_valid_for_client)(address, sizeof(T), VKI_PROT_READ)
             ? reinterpret_cast<const T*>(address)
             : nullptr;
}

// Returns the object's dynamic entry with this tag. Some dynamic linkers leave its addresses
// relative to the file.
GuestAddr dynamic_entry(const LinkMap& object, i64 tag) {
  for (const Elf64_Dyn* entry = object.dynamic;
       readable<Elf64_Dyn>(reinterpret_cast<GuestAddr>(entry)) && entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == tag)
      return entry->d_un.d_ptr < object.bias ? entry->d_un.d_ptr + object.bias : entry->d_un.d_ptr;
  return 0;
}

const char* symbol_of(const LinkMap& object, u32 relocation_number) {
  const auto* relocation = readable<Elf64_Rela>(dynamic_entry(object, DT_JMPREL) +
                                                relocation_number * sizeof(Elf64_Rela));
  if (relocation == nullptr)
    return nullptr;
  const auto* symbol = readable<Elf64_Sym>(dynamic_entry(object, DT_SYMTAB) +
                                           ELF64_R_SYM(relocation->r_info) * sizeof(Elf64_Sym));
  return symbol == nullptr ? nullptr
                           : readable<char>(dynamic_entry(object, DT_STRTAB) + symbol->st_name);
}

// `binding` is the target of a stub that is not bound: code that pushes the number of its
// relocation and jumps to where the object's link map is pushed.
const char* unbound_symbol(GuestAddr binding) {
  Stub code(binding);
  code.skip_protection();
  if (!code.skip({0x68})) // push
    return nullptr;
  const u32 relocation_number = code.number();
  code.skip_protection();
  if (!code.skip({0xE9})) // jmp
    return nullptr;
  Stub first(code.relative());
  first.skip_protection();
  if (!first.skip({0xFF, 0x35})) // push offset(%rip)
    return nullptr;
  const auto* const object = readable<LinkMap>(client_word(first.relative()));
  return object == nullptr ? nullptr : symbol_of(*object, relocation_number);
}

StubTarget target_in(GuestAddr slot) {
  const GuestAddr target = client_word(slot);
  if (target != 0 && RoutineTable::linkage(target) == RoutineTable::Linkage::binding)
    return {.symbol = unbound_symbol(target)};
  return {.address = target};
}

} // namespace

StubTarget target_of_stub(GuestAddr stub) {
  Stub code(stub);
  code.skip_protection();
  return code.skip({0xFF, 0x25}) ? target_in(code.relative()) : StubTarget{}; // jmp *offset(%rip)
}

StubTarget target_of_call(GuestAddr instruction) {
  Stub code(instruction);
  return code.skip({0xFF, 0x15}) ? target_in(code.relative()) : StubTarget{}; // call *offset(%rip)
}
