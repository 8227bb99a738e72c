// The place of a parameter, reduced to one byte: the opcode of an expression that consists of one
// operation, such as the name of a register; DW_OP_fbreg if the parameter is in the function's
// frame; 0 for any other expression, such as a constant, and for those that cannot be read.
#pragma once

#include "base/types.hpp"
#include "trace/debug_info/dwarf_unit.hpp"

#include <optional>

u8 place_of(const u8* expression, u64 length);
// Looks up `address` in the location list at that offset in .debug_loc or .debug_loclists. None if
// the list does not contain the address.
std::optional<u8> place_at(DwarfFile& file, const DwarfUnit& unit, u64 locations, u64 address);
