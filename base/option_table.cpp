#include "base/option_table.hpp"

namespace option_value {

bool one_of(const char*& to, const char* value, std::initializer_list<const char*> allowed) {
  for (const char* candidate : allowed)
    if (VG_(strcmp)(value, candidate) == 0) {
      to = candidate;
      return true;
    }
  return false;
}

bool yes_or_no(bool& to, const char* value) {
  const char* word = nullptr;
  if (!one_of(word, value, {"yes", "no"}))
    return false;
  to = word[0] == 'y';
  return true;
}

bool number(u64& to, const char* value, u64 least, u64 most) {
  HChar* end;
  const Long parsed = VG_(strtoll10)(value, &end);
  if (*value < '0' || *value > '9' || *end != 0 || static_cast<u64>(parsed) < least ||
      static_cast<u64>(parsed) > most)
    return false;
  to = static_cast<u64>(parsed);
  return true;
}

bool one_more(Vector<const char*>& to, const char* value) {
  if (*value == 0)
    return false;
  to.push_back(value);
  return true;
}

} // namespace option_value
