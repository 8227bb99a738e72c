// Where a parameter is, as far as it matters here: the first byte of an expression that consists of
// one operation, as one that names a register does, or DW_OP_fbreg for what is in the function's
// frame; 0 for another, as that of a constant, and for what cannot be read.
#pragma once

#include "base/types.hpp"
#include "trace/debug_info/dwarf_unit.hpp"

#include <optional>

u8 place_of(const u8* expression, u64 length);
// By the list at that offset in .debug_loc or .debug_loclists. None: it says nothing of `address`.
std::optional<u8> place_at(DwarfFile& file, const DwarfUnit& unit, u64 locations, u64 address);
