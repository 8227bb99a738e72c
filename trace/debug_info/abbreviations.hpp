// The abbreviation table of a DWARF unit: for each entry code, the tag and the attributes of such
// entries, with their forms.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/cursor.hpp"
#include "trace/debug_info/dwarf.hpp"

// Reads an attribute's value. For a string within the entry it returns the string's address; for an
// expression, the address of its length; for any other block, 0.
u64 read_value(Cursor& from, u16 form, const dwarf::Format& format);

class Abbreviations {
public:
  struct Attribute {
    u16 name;
    u16 form;
    u64 implicit; // value of DW_FORM_implicit_const
  };
  struct Entry {
    u64 code;
    u16 tag;
    bool has_children; // entries below it
    u32 first;         // index of the first attribute
    u32 end;
    u32 bytes; // size of all values, or kVarying
  };
  static constexpr u32 kVarying = ~u32{0};

  // Reads a table to its end, or up to the entry with this code.
  void read(Cursor& from, const dwarf::Format& format, u64 last_code = 0);

  // Null if there is none. Code 0 ends the children of another entry.
  const Entry* find(u64 code) const;
  // Calls `f` with the name, form and value of each attribute. The cursor must be behind the
  // entry's code, and is then moved behind the entry.
  template <typename F>
  void for_each_value(const Entry& entry, Cursor& at, const dwarf::Format& format, F f) const {
    for (u32 i = entry.first; i < entry.end; i++) {
      const Attribute& attribute = attributes_[i];
      const u64 value = attribute.form == dwarf::DW_FORM_implicit_const
                            ? attribute.implicit
                            : read_value(at, attribute.form, format);
      f(attribute.name, attribute.form, value);
    }
  }
  void skip_values(const Entry& entry, Cursor& at, const dwarf::Format& format) const {
    if (entry.bytes != kVarying)
      at.skip(entry.bytes);
    else
      for_each_value(entry, at, format, [](u16, u16, u64) {});
  }

private:
  Vector<Entry> entries_{"trace.dwarf.abbreviations"};
  Vector<Attribute> attributes_{"trace.dwarf.abbreviations"};
};
