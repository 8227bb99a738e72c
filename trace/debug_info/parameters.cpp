#include "trace/debug_info/parameters.hpp"

#include "trace/debug_info/dwarf_locations.hpp"

#include <iterator>

using namespace dwarf;

namespace {

using Type = Parameter::Type;

constexpr u64 kRegister = 8;         // bytes
constexpr u64 kMostInRegisters = 16; // bytes of an aggregate
constexpr u8 kNone = 0xFF;

// DWARF's numbers of the registers for integer arguments, in order.
constexpr u8 kRegisters[] = {5, 4, 1, 2, 8, 9};

bool is_cpp(u16 language) {
  switch (language) {
  case DW_LANG_C_plus_plus:
  case DW_LANG_C_plus_plus_03:
  case DW_LANG_C_plus_plus_11:
  case DW_LANG_C_plus_plus_14:
  case DW_LANG_C_plus_plus_17:
  case DW_LANG_C_plus_plus_20:
  case DW_LANG_C_plus_plus_23: return true;
  default: return false;
  }
}
// Whether arguments are passed according to the System V ABI: other languages have rules of their
// own.
bool has_abi(u16 language) {
  switch (language) {
  case DW_LANG_C89:
  case DW_LANG_C:
  case DW_LANG_C99:
  case DW_LANG_C11:
  case DW_LANG_C17:
  case DW_LANG_C23: return true;
  default: return is_cpp(language);
  }
}

u8 number_of(u8 place) {
  for (u8 number = 0; number < std::size(kRegisters); number++)
    if (place == DW_OP_reg0 + kRegisters[number])
      return number;
  return kNone;
}

Type base_type(const DwarfUnit::Entry& of, u8* bytes) {
  if (of.encoding == DW_ATE_float)
    return Type::in_float_register;
  if (of.bytes > kRegister || of.bytes == 0)
    return Type::unknown;
  *bytes = static_cast<u8>(of.bytes);
  switch (of.encoding) {
  case DW_ATE_signed: return Type::signed_integer;
  case DW_ATE_unsigned: return Type::unsigned_integer;
  case DW_ATE_address:
  case DW_ATE_boolean:
  case DW_ATE_signed_char:
  case DW_ATE_unsigned_char:
  case DW_ATE_UTF: return Type::in_integer_register;
  default: return Type::unknown; // complex, decimal...
  }
}

// g++ omits the calling convention of an aggregate; objects that are not trivially copyable are
// passed by reference.
Type aggregate(const DwarfUnit& unit, const DwarfUnit::Entry& of) {
  if (of.convention == DW_CC_pass_by_reference)
    return Type::by_reference;
  if (of.bytes == 0) // only declared
    return Type::unknown;
  const bool is_given = of.convention != 0 || !is_cpp(unit.first().language);
  if (of.bytes > kMostInRegisters)
    return is_given ? Type::in_memory : Type::in_memory_or_by_reference;
  return is_given ? Type::in_registers : Type::unknown;
}

bool is_register_or_frame(u8 place) {
  return (DW_OP_reg0 <= place && place <= DW_OP_reg31) || place == DW_OP_fbreg;
}

bool is_integer(Type type) {
  return type == Type::signed_integer || type == Type::unsigned_integer;
}
bool is_in_integer_register(Type type) {
  return is_integer(type) || type == Type::in_integer_register || type == Type::by_reference;
}

} // namespace

Type type_of(const DwarfUnit& unit, const DwarfUnit::Entry& entry, u8* bytes) {
  // A damaged file may contain a cycle.
  constexpr int kMostSteps = 16;
  u64 at = entry.type;
  for (int step = 0; step < kMostSteps && unit.has(at); step++) {
    const DwarfUnit::Entry type = unit.entry_at(at);
    switch (type.tag) {
    case DW_TAG_base_type: return base_type(type, bytes);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
    case DW_TAG_enumeration_type: return Type::in_integer_register;
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type: return aggregate(unit, type);
    case DW_TAG_typedef:
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type: at = type.type; break;
    default: return Type::unknown;
    }
  }
  return Type::unknown;
}

// An instance's parameter refers to the parameter of the abstract entry that all instances share.
Parameter parameter_of(const DwarfUnit& unit, u64 offset, const DwarfUnit::Entry& entry) {
  Parameter parameter{.entry = offset,
                      .locations = entry.locations,
                      .is_artificial = entry.is_artificial,
                      .has_own_type = entry.type != 0};
  // LEB128 of a 64-bit length.
  constexpr u64 kLongest = 10;
  if (entry.expression != nullptr) {
    Cursor at(entry.expression, entry.expression + kLongest);
    const u64 length = at.uleb();
    parameter.place = place_of(at.at(), length);
  }
  DwarfUnit::Entry typed = entry;
  constexpr int kMostSteps = 4;
  for (int step = 0; step < kMostSteps && typed.type == 0 && unit.has(typed.origin); step++) {
    typed = unit.entry_at(typed.origin);
    parameter.is_artificial |= typed.is_artificial;
  }
  parameter.type = type_of(unit, typed, &parameter.bytes);
  return parameter;
}

Vector<IntegerArgument> integer_arguments(DwarfFile& file, const DwarfUnit& unit, u64 entry,
                                          const Parameter* first, const Parameter* end,
                                          Type returned) {
  Vector<IntegerArgument> found("trace.parameters");
  // By the ABI: the number of the next argument register, as long as it is known.
  unsigned next = returned == Type::in_memory || returned == Type::by_reference ||
                  // The address of a result in memory is passed in the first one.
                  returned == Type::in_memory_or_by_reference;
  bool is_known = has_abi(unit.first().language) && returned != Type::unknown;
  for (const Parameter* parameter = first; parameter != end; parameter++) {
    const std::optional<u8> place = parameter->locations
                                        ? place_at(file, unit, *parameter->locations, entry)
                                        : std::optional(parameter->place);
    // The location list covers only later instructions.
    const bool is_silent = !place;
    const u8 given = place.value_or(0);
    const bool by_abi = is_known && parameter->has_own_type && (is_silent || given == DW_OP_fbreg);
    const u8 number = by_abi ? static_cast<u8>(next) : number_of(given);
    if (is_integer(parameter->type) && !parameter->is_artificial && number < std::size(kRegisters))
      found.push_back(
          {parameter->entry, number, parameter->bytes, parameter->type == Type::signed_integer});
    if (next < std::size(kRegisters))
      next += is_in_integer_register(parameter->type);
    is_known &= parameter->type != Type::unknown && parameter->type != Type::in_registers &&
                parameter->type != Type::in_memory_or_by_reference;
    is_known &= is_silent || is_register_or_frame(given); // otherwise it may have been removed
  }
  return found;
}
