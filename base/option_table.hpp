// A tool's command line options. Parsing, checks and the help text all come from one table.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "base/vector.hpp"

#include <initializer_list>

template <typename Options> struct Option {
  const char* name;  // including the = sign
  const char* value; // as the help text shows it
  const char* help;
  bool debug;
  // Returns false if the value is not valid.
  bool (*set)(Options& options, const char* value);
};

// Returns false if the argument is none of the table's options. An invalid value ends the run with
// a message.
template <typename Options, std::size_t kCount>
bool parse_option(const Option<Options> (&table)[kCount], Options& into, const char* argument) {
  for (const Option<Options>& option : table) {
    const SizeT length = VG_(strlen)(option.name);
    if (VG_(strncmp)(argument, option.name, length) != 0)
      continue;
    if (!option.set(into, argument + length))
      VG_(fmsg_bad_option)(argument, "expected: %s%s\n", option.name, option.value);
    return true;
  }
  return false;
}

template <typename Options, std::size_t kCount>
void print_options(const Option<Options> (&table)[kCount], bool debug) {
  bool any = false;
  for (const Option<Options>& option : table) {
    if (option.debug != debug)
      continue;
    VG_(printf)("    %s%s\n        %s\n", option.name, option.value, option.help);
    any = true;
  }
  if (!any)
    VG_(printf)("    (none)\n");
}

// Parsers of option values. They return false, and leave `to` unchanged, if the value is invalid.
namespace option_value {

bool one_of(const char*& to, const char* value, std::initializer_list<const char*> allowed);
bool yes_or_no(bool& to, const char* value);
bool number(u64& to, const char* value, u64 least, u64 most);
bool one_more(Vector<const char*>& to, const char* value); // appends it; invalid if empty

} // namespace option_value
