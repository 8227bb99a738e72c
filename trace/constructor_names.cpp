#include "trace/constructor_names.hpp"

#include "base/types.hpp"

namespace {

bool is_of_identifier(char c) {
  return c == '_' || ('0' <= c && c <= '9') || ('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z');
}

// Returns where the identifier that ends at `end` begins. It may be empty.
std::size_t identifier(const char* name, std::size_t end) {
  while (end > 0 && is_of_identifier(name[end - 1]))
    end--;
  return end;
}

// Returns the position before the template arguments or [abi:...] that end at `end`; `end` if there
// are none.
std::size_t before_brackets(const char* name, std::size_t end) {
  std::size_t at = end;
  for (int depth = 0; at > 0; at--) {
    const char c = name[at - 1];
    depth += (c == '>' || c == ']') - (c == '<' || c == '[');
    if (depth == 0)
      return c == '<' || c == '[' ? at - 1 : end;
  }
  return end;
}

// Returns where the last pair of parentheses, the parameters, begins; 0 if there is none.
std::size_t parameters(const char* name) {
  std::size_t end = 0;
  for (std::size_t i = 0; name[i] != 0; i++)
    if (name[i] == ')')
      end = i + 1;
  int depth = 0;
  for (std::size_t at = end; at > 0; at--) {
    depth += (name[at - 1] == ')') - (name[at - 1] == '(');
    if (depth == 0)
      return at - 1;
  }
  return 0;
}

bool ends_with_scope(const char* name, std::size_t end) {
  return end >= 2 && name[end - 1] == ':' && name[end - 2] == ':';
}

} // namespace

bool is_constructor_or_destructor(const char* name) {
  const std::size_t end = before_brackets(name, parameters(name));
  const std::size_t begin = identifier(name, end);
  if (begin == end)
    return false;
  if (begin > 0 && name[begin - 1] == '~')
    return ends_with_scope(name, begin - 1);
  if (!ends_with_scope(name, begin))
    return false;
  const std::size_t class_end = before_brackets(name, begin - 2);
  const std::size_t length = end - begin;
  if (identifier(name, class_end) + length != class_end)
    return false;
  for (std::size_t i = 0; i < length; i++)
    if (name[class_end - length + i] != name[begin + i])
      return false;
  return true;
}
