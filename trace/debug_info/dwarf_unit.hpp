// A unit of an object's DWARF: its header, and those of its entries that describe functions.
// Offsets are into .debug_info.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/abbreviations.hpp"
#include "trace/debug_info/dwarf.hpp"
#include "trace/debug_info/dwarf_file.hpp"

#include <optional>

struct DwarfUnitHeader {
  u64 offset = 0;
  u64 end = 0;
  u64 entries = 0;
  u64 abbreviations = 0; // offset in .debug_abbrev
  dwarf::Format format;
  u8 type = dwarf::DW_UT_compile;

  // None if there is no readable unit.
  static std::optional<DwarfUnitHeader> read(DwarfFile& file, u64 offset);
};

class DwarfUnit {
public:
  // The attributes of an entry; 0 if absent.
  struct Entry {
    u16 tag = 0;
    u64 low = 0; // the code is from here to `high`,
    u64 high = 0;
    std::optional<u64> ranges; // or in these ranges: offset in .debug_ranges or .debug_rnglists
    u64 origin = 0;            // the entry that has the attributes that this one lacks
    std::optional<u32> file;   // number in the unit's line table
    std::optional<u32> line;
    u32 call_file = 0; // place of the call that was inlined
    u32 call_line = 0;
    u64 object = 0; // offset of the entry of a member function's `this`
    // For parameters and types:
    u64 type = 0;                 // offset of the type's entry
    std::optional<u64> locations; // offset in .debug_loc or .debug_loclists
    // A single location: the length of the expression, followed by it.
    const u8* expression = nullptr;
    u64 bytes = 0;
    u16 language = 0; // in the unit's first entry
    u8 encoding = 0;
    u8 convention = 0;
    bool is_artificial = false;

    bool has_code() const { return high != 0 || ranges; }
  };
  // The bases that the unit's first entry gives for other entries.
  struct Bases {
    std::optional<u64> line_table; // offset in .debug_line
    Vector<char> folder{"trace.dwarf.folder"};
    u64 addresses = 0;   // offset in .debug_addr
    u64 range_lists = 0; // offset in .debug_rnglists
    u64 locations = 0;   // offset in .debug_loclists
    u64 strings = 0;     // offset in .debug_str_offsets
  };

  DwarfUnit(DwarfFile& file, const DwarfUnitHeader& header);

  const DwarfUnitHeader& header() const { return header_; }
  const Bases& bases() const { return bases_; }
  const Entry& first() const { return first_; }

  // Reads the whole unit. Without this, entries are read one by one.
  void load();
  bool has(u64 offset) const { return header_.entries <= offset && offset < header_.end; }
  Entry entry_at(u64 offset) const;
  Vector<char> name_of(u64 offset) const; // of the function; empty if the entry itself has none
  // Whether the entry itself has that name or linkage name.
  bool has_name(u64 offset, const char* name) const;
  // Calls `f` with the offset, the Entry and the depth of each function that has code and of each
  // inlined call, enclosing ones first. Directly after a function, calls `parameter` with the
  // offset and the Entry of each of its parameters. The unit must be loaded.
  template <typename F, typename P> void for_each_function(F f, P parameter) const {
    Cursor at(bytes_.begin(), bytes_.end());
    u32 depth = 0;
    bool in_parameters = false;
    while (!at.is_at_end()) {
      const u64 offset = header_.entries + static_cast<u64>(at.at() - bytes_.begin());
      const Abbreviations::Entry* abbreviation = abbreviations_.find(at.uleb());
      if (abbreviation == nullptr) { // ends the children of another entry
        depth--;
        in_parameters = false;
        continue;
      }
      const u32 its_depth = depth;
      depth += abbreviation->has_children;
      in_parameters &= is_of_parameters(abbreviation->tag);
      const bool is_parameter =
          in_parameters && abbreviation->tag == dwarf::DW_TAG_formal_parameter;
      if (!is_parameter && abbreviation->tag != dwarf::DW_TAG_subprogram &&
          abbreviation->tag != dwarf::DW_TAG_inlined_subroutine) {
        abbreviations_.skip_values(*abbreviation, at, header_.format);
        continue;
      }
      const Entry entry = read(abbreviations_, *abbreviation, at);
      if (is_parameter) {
        parameter(offset, entry);
      } else if (entry.has_code()) {
        f(offset, entry, its_depth);
        in_parameters = abbreviation->tag == dwarf::DW_TAG_subprogram;
      }
    }
  }

  // Resolve an attribute's value.
  u64 address(u16 form, u64 value) const;
  Vector<char> string(u16 form, u64 value) const; // empty if it cannot be read

private:
  // Whether entries with this tag may come among a function's parameters. gcc has the types of a
  // lambda's `this` there.
  static bool is_of_parameters(u16 tag) {
    switch (tag) {
    case dwarf::DW_TAG_formal_parameter:
    case dwarf::DW_TAG_unspecified_parameters:
    case dwarf::DW_TAG_template_type_parameter:
    case dwarf::DW_TAG_template_value_parameter:
    case dwarf::DW_TAG_pointer_type:
    case dwarf::DW_TAG_reference_type:
    case dwarf::DW_TAG_rvalue_reference_type:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type: return true;
    default: return false;
    }
  }
  Abbreviations read_abbreviations(u64 last_code) const;
  void read_bases(const Abbreviations& abbreviations, const Abbreviations::Entry& first, Cursor at);
  Entry read(const Abbreviations& abbreviations, const Abbreviations::Entry& of, Cursor& at) const;
  // Calls `f` with attribute, form and value.
  template <typename F> void for_each_attribute(u64 offset, F f) const;
  u64 reference(u16 form, u64 value) const;
  // Offset in the section of list `number`, relative to the base.
  u64 indexed_list(const ElfFile::Section& section, u64 base, u64 number) const;

  DwarfFile& file_;
  DwarfUnitHeader header_;
  Bases bases_;
  Entry first_;
  Vector<u8> bytes_{"trace.dwarf.unit"}; // all entries, if loaded; with their abbreviations below
  Abbreviations abbreviations_;
};
