// What the entries of DWARF units consist of: by an entry's code, its tag and the attributes that
// follow, with their forms.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/cursor.hpp"
#include "trace/debug_info/dwarf.hpp"

// An attribute's value; of a string within the entry, its address; of an expression, that of its
// length; of another block, 0.
u64 read_value(Cursor& from, u16 form, const dwarf::Format& format);

class Abbreviations {
public:
  struct Attribute {
    u16 name;
    u16 form;
    u64 implicit; // the value of DW_FORM_implicit_const
  };
  struct Entry {
    u64 code;
    u16 tag;
    bool has_children; // entries below it
    u32 first;         // attribute
    u32 end;
    u32 bytes; // of all values, or kVarying
  };
  static constexpr u32 kVarying = ~u32{0};

  // Reads a table to its end, or to the entry with this code.
  void read(Cursor& from, const dwarf::Format& format, u64 last_code = 0);

  // Null: there is none. Code 0 ends what is below another entry.
  const Entry* find(u64 code) const;
  // `f` gets each attribute's name, form and value. The cursor is behind the entry's code, and then
  // behind the entry.
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
