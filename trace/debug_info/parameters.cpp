#include "trace/debug_info/parameters.hpp"

#include <iterator>

using namespace dwarf;

namespace {

using Type = Parameter::Type;

constexpr u64 kRegister = 8;         // bytes
constexpr u64 kMostInRegisters = 16; // of an aggregate
constexpr u8 kNone = 0xFF;

// DWARF's numbers of the registers that have integer arguments, in their order.
constexpr u8 kRegisters[] = {5, 4, 1, 2, 8, 9};

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
  return of.encoding == DW_ATE_signed     ? Type::signed_integer
         : of.encoding == DW_ATE_unsigned ? Type::unsigned_integer
                                          : Type::in_integer_register;
}

Type aggregate(const DwarfUnit::Entry& of) {
  if (of.convention == DW_CC_pass_by_reference)
    return Type::by_reference;
  return of.bytes > kMostInRegisters ? Type::in_memory : Type::in_registers;
}

// Of an expression that lies behind its length: its only operation, or that of what is in the
// function's frame.
u8 place_of(Cursor at) {
  const u64 length = at.uleb();
  const u8 operation = static_cast<u8>(at.number(1));
  return !at.has_failed() && (length == 1 || operation == DW_OP_fbreg) ? operation : 0;
}

// From one list or the other: the place at `address`.
bool find_in_pairs(Cursor at, const DwarfUnit& unit, u64 address, u8& place) {
  const unsigned bytes = unit.header().format.address_bytes;
  const u64 base_follows = bytes == 8 ? ~u64{0} : 0xFFFFFFFF;
  u64 base = unit.first().low;
  while (!at.has_failed()) {
    const u64 begin = at.number(bytes);
    const u64 end = at.number(bytes);
    if (begin == base_follows) {
      base = end;
      continue;
    }
    if (begin == 0 && end == 0)
      return !at.has_failed();
    const u64 length = at.number(2);
    Cursor expression = at;
    at.skip(length);
    if (base + begin <= address && address < base + end && !at.has_failed()) {
      place = length == 1 ? static_cast<u8>(expression.number(1)) : 0;
      return true;
    }
  }
  return false;
}

bool find_in_list(Cursor at, const DwarfUnit& unit, u64 address, u8& place) {
  const unsigned bytes = unit.header().format.address_bytes;
  const auto indexed = [&] { return unit.address(DW_FORM_addrx, at.uleb()); };
  u64 base = unit.first().low;
  while (!at.has_failed()) {
    u64 begin = 0;
    u64 end = ~u64{0};
    switch (at.number(1)) {
    case DW_LLE_end_of_list: return !at.has_failed();
    case DW_LLE_base_addressx: base = indexed(); continue;
    case DW_LLE_base_address: base = at.number(bytes); continue;
    case DW_LLE_GNU_view_pair:
      at.skip_leb();
      at.skip_leb();
      continue;
    case DW_LLE_startx_endx:
      begin = indexed();
      end = indexed();
      break;
    case DW_LLE_startx_length:
      begin = indexed();
      end = begin + at.uleb();
      break;
    case DW_LLE_offset_pair:
      begin = base + at.uleb();
      end = base + at.uleb();
      break;
    case DW_LLE_default_location: break;
    case DW_LLE_start_end:
      begin = at.number(bytes);
      end = at.number(bytes);
      break;
    case DW_LLE_start_length:
      begin = at.number(bytes);
      end = begin + at.uleb();
      break;
    default: return true; // of a later version
    }
    const Cursor expression = at;
    at.skip(at.uleb());
    if (begin <= address && address < end && !at.has_failed()) {
      place = place_of(expression);
      return true;
    }
  }
  return false;
}

u8 place_at(DwarfFile& file, const DwarfUnit& unit, u64 locations, u64 address) {
  const bool pairs = unit.header().format.version < 5;
  u8 place = 0;
  file.read(pairs ? file.locations : file.location_lists, locations, [&](Cursor at) {
    place = 0;
    return pairs ? find_in_pairs(at, unit, address, place) : find_in_list(at, unit, address, place);
  });
  return place;
}

bool is_integer(Type type) {
  return type == Type::signed_integer || type == Type::unsigned_integer;
}
bool is_in_integer_register(Type type) {
  return is_integer(type) || type == Type::in_integer_register || type == Type::by_reference;
}

} // namespace

Type type_of(const DwarfUnit& unit, const DwarfUnit::Entry& entry, u8* bytes) {
  constexpr int kMostSteps = 16; // a damaged file may lead in a circle
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
    case DW_TAG_union_type: return aggregate(type);
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

// An instance refers to the parameter of what all instances have in common.
Parameter parameter_of(const DwarfUnit& unit, u64 offset, const DwarfUnit::Entry& entry) {
  Parameter parameter{.entry = offset,
                      .locations = entry.locations,
                      .is_artificial = entry.is_artificial,
                      .has_own_type = entry.type != 0};
  constexpr u64 kMostBytes = 16; // more tell nothing
  if (entry.expression != nullptr)
    parameter.place = place_of(Cursor(entry.expression, entry.expression + kMostBytes));
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
  // By the ABI: the number of the next argument, as long as it is known.
  u8 next = returned == Type::in_memory || returned == Type::by_reference; // where it goes
  bool is_known = returned != Type::unknown;
  for (const Parameter* parameter = first; parameter != end; parameter++) {
    const u8 place = parameter->locations ? place_at(file, unit, *parameter->locations, entry)
                                          : parameter->place;
    const bool is_silent = place == 0 && parameter->locations; // but of what comes later
    const bool by_abi = is_known && parameter->has_own_type && (place == DW_OP_fbreg || is_silent);
    const u8 number = by_abi ? next : number_of(place);
    if (is_integer(parameter->type) && !parameter->is_artificial && number < std::size(kRegisters))
      found.push_back(
          {parameter->entry, number, parameter->bytes, parameter->type == Type::signed_integer});
    next += is_in_integer_register(parameter->type);
    is_known &= parameter->type != Type::unknown && parameter->type != Type::in_registers;
    is_known &= parameter->place != 0 || parameter->locations; // or it may have been removed
  }
  return found;
}
