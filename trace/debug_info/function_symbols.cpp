#include "trace/debug_info/function_symbols.hpp"

#include "base/address_map.hpp"
#include "base/valgrind.hpp"
#include "trace/clone_names.hpp"

#include <algorithm>
#include <elf.h>

namespace {

bool is_digit(char c) { return '0' <= c && c <= '9'; }

// Returns the position in a mangled name that identifies the constructor or destructor variant, the
// 1 in _ZN3FooC1Ev; 0 if it is neither.
std::size_t variant_at(const char* name, std::size_t length) {
  if (length < 2 || name[0] != '_' || name[1] != 'Z')
    return 0;
  for (std::size_t i = 2; i + 2 < length; i++) {
    if (is_digit(name[i]) && VG_(strchr)("SLT_A", name[i - 1]) == nullptr) {
      std::size_t bytes = 0; // length of an identifier
      for (; i < length && is_digit(name[i]); i++)
        bytes = 10 * bytes + static_cast<std::size_t>(name[i] - '0');
      if (bytes > length)
        return 0;
      i += bytes - 1;
    } else if ((name[i] == 'C' || name[i] == 'D') && '0' <= name[i + 1] && name[i + 1] <= '5' &&
               name[i + 2] == 'E') {
      return i + 1;
    }
  }
  return 0;
}

u64 hash(u64 value, char c) { return (value ^ static_cast<u8>(c)) * 0x100000001B3u; } // FNV-1a
constexpr u64 kHashSeed = 0xCBF29CE484222325u;

// The result of one pass over a name; most names are neither clones nor constructors.
struct Glance {
  u64 hash = kHashSeed;
  std::size_t length = 0; // without a version
  bool has_dot = false;
  bool may_be_variant = false;

  explicit Glance(const char* name) {
    for (; name[length] != 0 && (name[length] != '@' || length == 0); length++) {
      hash = ::hash(hash, name[length]);
      has_dot |= name[length] == '.';
      may_be_variant |= name[length] == 'E' && length >= 2 && is_digit(name[length - 1]) &&
                        (name[length - 2] == 'C' || name[length - 2] == 'D');
    }
  }
};

// LTO puts the local symbols of several units under a file symbol that is empty or names no source.
bool is_of_several_units(const char* file) { return *file == 0 || *file == '<'; }

// The symbol table of a file.
class Table {
public:
  explicit Table(ElfFile& file) {
    ElfFile::Section section = file.section(".symtab");
    if (section.bytes == 0)
      section = file.section(".dynsym");
    const ElfFile::Section names = file.section(section.link);
    file.read(section, 0, section.bytes, symbols_);
    file.read(names, 0, names.bytes, names_);
    names_.push_back(0); // terminates the last name, also in a damaged file
    file.close();
  }

  std::size_t symbols() const { return symbols_.size() / sizeof(Elf64_Sym); }

  // Calls `f` with the name and address of each function, and with its unit, `global` or `several`.
  template <typename F> void for_each_function(u32 global, u32 several, F f) const {
    u32 units = 0;
    u32 unit = several;
    Elf64_Sym symbol;
    for (std::size_t at = 0; at + sizeof symbol <= symbols_.size(); at += sizeof symbol) {
      VG_(memcpy)(&symbol, symbols_.begin() + at, sizeof symbol);
      const char* name = this->name(symbol.st_name);
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FILE)
        unit = is_of_several_units(name) ? several : ++units;
      else if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF)
        f(name, symbol.st_value, ELF64_ST_BIND(symbol.st_info) == STB_LOCAL ? unit : global);
    }
  }

private:
  const char* name(u64 at) const {
    return at < names_.size() ? reinterpret_cast<const char*>(names_.begin() + at) : "";
  }

  Vector<u8> symbols_{"trace.symbols.table"};
  Vector<u8> names_{"trace.symbols.table"};
};

} // namespace

FunctionSymbols::Symbol FunctionSymbols::symbol(const char* name, u64 address, u32 unit) {
  const Glance glance(name);
  Symbol symbol{.address = address,
                .name = glance.hash,
                .unit = unit,
                .plain = true,
                .pieces = 0,
                .variant = kNoVariant};
  if (!glance.has_dot && !glance.may_be_variant)
    return symbol;
  const CloneName clone = CloneName::of(name);
  const std::size_t variant = variant_at(name, clone.in_source);
  symbol.plain = clone.with_lto == glance.length;
  symbol.pieces = static_cast<u8>(clone.pieces);
  if (variant != 0)
    symbol.variant = static_cast<u8>(name[variant] - '0');
  symbol.name = kHashSeed;
  for (std::size_t i = 0; i < clone.with_lto; i++)
    symbol.name = hash(symbol.name, variant != 0 && i == variant ? '*' : name[i]);
  return symbol;
}

// Keeps only symbols whose function has a clone or a variant.
FunctionSymbols::FunctionSymbols(ElfFile& file) {
  Vector<Symbol> all("trace.symbols.table");
  AddressMap<u8> names("trace.symbols.table");
  const Table table(file);
  all.reserve(table.symbols());
  table.for_each_function(kGlobal, kSeveralUnits, [&](const char* name, u64 address, u32 unit) {
    const Symbol& added = all.push_back(symbol(name, address, unit));
    if ((!added.plain || added.variant != kNoVariant) && names.find(added.name) == nullptr)
      names.insert(added.name, 0);
  });
  for (const Symbol& symbol : all)
    if (names.find(symbol.name) != nullptr)
      by_address_.push_back(symbol);
  std::sort(by_address_.begin(), by_address_.end(),
            [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
}

const FunctionSymbols::Symbol* FunctionSymbols::at(u64 address) const {
  const Symbol* found =
      std::lower_bound(by_address_.begin(), by_address_.end(), address,
                       [](const Symbol& symbol, u64 wanted) { return symbol.address < wanted; });
  return found != by_address_.end() && found->address == address ? found : nullptr;
}

const FunctionSymbols::Symbol* FunctionSymbols::lowest(u64 name, u32 unit, bool plain) const {
  for (const Symbol& symbol : by_address_)
    if (symbol.name == name && symbol.unit == unit && (symbol.plain || !plain))
      return &symbol;
  return nullptr;
}

u64 FunctionSymbols::function(u64 address) const {
  const Symbol* symbol = at(address);
  if (symbol == nullptr || symbol->unit == kSeveralUnits ||
      (symbol->plain && symbol->variant == kNoVariant))
    return address;
  // Some of the symbols that C++ makes of one constructor may be local.
  const bool is_variant = symbol->variant != kNoVariant;
  for (const bool global : {is_variant, !is_variant})
    if (const Symbol* plain = lowest(symbol->name, global ? kGlobal : symbol->unit, true))
      return plain->address;
  const Symbol* copy = lowest(symbol->name, symbol->unit, false);
  return copy == nullptr ? address : copy->address;
}

bool FunctionSymbols::is_part(u64 caller, u64 callee) const {
  const Symbol* from = at(caller);
  const Symbol* to = at(callee);
  if (from == nullptr || to == nullptr || caller == callee)
    return false;
  const bool variants = from->variant != kNoVariant && to->variant != kNoVariant;
  return to->pieces > from->pieces || (variants && to->variant > from->variant);
}
