#include "work_span/runtimes/control_variables.hpp"

#include "base/valgrind.hpp"

#include <initializer_list>

namespace openmp {
namespace {

const char* without_spaces(const char* text) {
  while (*text == ' ' || *text == '\t')
    text++;
  return text;
}

// Returns what follows a word, in any case of letters; null if the text does not begin with it.
const char* after(const char* text, const char* word) {
  text = without_spaces(text);
  const SizeT length = VG_(strlen)(word);
  return VG_(strncasecmp)(text, word, length) == 0 ? without_spaces(text + length) : nullptr;
}

} // namespace

RunSchedule schedule_of(const char* text) {
  for (const char* modifier : {"monotonic", "nonmonotonic"})
    if (const char* rest = after(text, modifier); rest != nullptr && *rest == ':')
      text = rest + 1;
  constexpr struct {
    const char* name;
    LoopKind kind;
  } kKinds[] = {{"static", LoopKind::by_number},
                {"dynamic", LoopKind::dynamic},
                {"guided", LoopKind::guided},
                {"auto", LoopKind::automatic}};
  for (const auto& [name, kind] : kKinds) {
    const char* rest = after(text, name);
    if (rest == nullptr || (*rest != '\0' && *rest != ','))
      continue;
    const Long chunk = *rest == ',' ? VG_(strtoll10)(without_spaces(rest + 1), nullptr) : 0;
    return {kind, chunk > 0 && chunk <= 0x7FFF'FFFF ? static_cast<u32>(chunk) : 0};
  }
  return {LoopKind::unknown, 0};
}

} // namespace openmp
