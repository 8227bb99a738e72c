// The option --clones, which both tools have.
#pragma once

#include "base/option_table.hpp"
#include "trace/routines.hpp"

// `Options` must have a member `Clones clones`.
template <typename Options> constexpr Option<Options> clones_option() {
  return {"--clones=", "together|apart",
          "count the copies and pieces that compilers make of a\n"
          "        function, such as foo.constprop.0 and foo.part.0, as the\n"
          "        function itself, or apart from it [together]",
          false, [](Options& o, const char* v) {
            const char* name = nullptr;
            if (!option_value::one_of(name, v, {"together", "apart"}))
              return false;
            o.clones = name[0] == 'a' ? Clones::apart : Clones::together;
            return true;
          }};
}
