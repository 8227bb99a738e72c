#include "work_span/state/sites.hpp"

#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "work_span/state/system_headers.hpp"

#include <algorithm>

namespace {

constexpr std::size_t kLongestName = 1024;

// Copies the name without template arguments, parameters, and what compilers add in brackets:
// `f(int)::A<T>::A(T) [clone]` is `f::A::A`.
void copy_plain(const char* name, char (&plain)[kLongestName]) {
  std::size_t length = 0;
  unsigned nested = 0; // depth of brackets of either kind
  for (; *name != '\0' && *name != '[' && length + 1 < kLongestName; name++) {
    const bool opens = *name == '<' || (*name == '(' && VG_(strncmp)(name, "(anonymous", 10) != 0);
    const bool closes = nested > 0 && (*name == '>' || *name == ')');
    nested += opens;
    if (nested == 0)
      plain[length++] = *name;
    nested -= closes;
  }
  while (length > 0 && plain[length - 1] == ' ')
    length--;
  plain[length] = '\0';
}

bool is_constructor(const char* plain) {
  const char* last = VG_(strrchr)(plain, ':');
  if (last == nullptr)
    return false;
  const std::size_t of_last = VG_(strlen)(last + 1);
  const char* before = last - 1 - of_last; // as in `B::B`
  return before >= plain && VG_(strncmp)(before, last + 1, of_last) == 0 &&
         (before == plain || before[-1] == ':' || before[-1] == ' ');
}

SpawnRole role_of(const Routine& routine, RoutineClass of) {
  if (of != RoutineClass::program && of != RoutineClass::system)
    return SpawnRole::no_child;
  char plain[kLongestName];
  copy_plain(routine.name, plain);
  if (matches(plain, {"*{lambda*", "*::$_*"}))
    return SpawnRole::child;
  if (matches(plain, {"*::operator", "*::operator const"}))
    return SpawnRole::functor;
  if (of == RoutineClass::system && matches(plain, {"*memcpy*", "*memmove*", "*memset*"}))
    return SpawnRole::copy;
  const bool uses_result =
      of == RoutineClass::system || matches(routine.name, {"*operator*"}) ||
      (routine.file != 0 && system_headers::is_of_system(routines->files()[routine.file])) ||
      is_constructor(plain);
  return uses_result ? SpawnRole::any : SpawnRole::child;
}

// Determines the role of an inlined routine from its unqualified name in debug info, the source
// line of the call in it, and the role of its callee. Valgrind does not find the names of routines
// that were inlined before link-time optimisation.
SpawnRole role_of(const char* inlined, const RoutineTable::SourceLine& line, SpawnRole of_call) {
  if (matches(inlined, {"operator[]", "operator->", "operator\\*", "operator=", "~*"}))
    return SpawnRole::no_child;
  if (matches(inlined, {"operator()"}))
    return SpawnRole::functor;
  const bool uses_result =
      may_use_result(of_call) || matches(inlined, {"operator*", "UnknownInlinedFun"}) ||
      (line.file != 0 && system_headers::is_of_system(routines->files()[line.file]));
  return uses_result ? SpawnRole::any : SpawnRole::child;
}

// Copies the name of the outermost routine that is inlined at `address`. Returns false if there is
// none.
bool find_inlined(GuestAddr address, char (&name)[kLongestName]) {
  name[0] = '\0';
  const DiEpoch epoch = VG_(current_DiEpoch)();
  InlIPCursor* cursor = VG_(new_IIPC)(epoch, address);
  for (const char* text = VG_(describe_IP)(epoch, address, cursor); VG_(next_IIPC)(cursor);
       text = VG_(describe_IP)(epoch, address, cursor)) {
    // "0x1091C6: name (file.cpp:12)"
    const char* begin = VG_(strstr)(text, ": ");
    const char* end = VG_(strrchr)(text, '(');
    if (begin == nullptr || end == nullptr || end - begin < 4)
      continue;
    const auto length = std::min<std::size_t>(end - 1 - (begin + 2), kLongestName - 1);
    VG_(memcpy)(name, begin + 2, length);
    name[length] = '\0';
  }
  VG_(delete_IIPC)(cursor);
  return name[0] != '\0';
}

} // namespace

CallOrigin SiteTable::origin_of(const Site& site, RoutineClass callee_class) {
  const SourceLocation location = location_of(site.line);
  const SpawnRole role = role_of((*routines)[site.callee], callee_class);
  char inlined[kLongestName];
  if (find_inlined(site.caller.address, inlined))
    return {location, inlined_.intern(inlined), role_of(inlined, site.line, role)};
  return {location, 0, role};
}

SiteId SiteTable::look_up(const Caller& caller, RoutineId callee, RoutineClass callee_class) {
  const GuestAddr address = caller.address;
  u32* latest = latest_at_.find(address);
  for (u32 i = latest == nullptr ? 0 : *latest; i != 0; i = sites_[i - 1].next)
    if (sites_[i - 1].caller == caller && sites_[i - 1].callee == callee)
      return SiteId{i - 1};
  Site site{};
  site.caller = caller;
  site.callee = callee;
  if (address != 0) {
    site.address_in_file = RoutineTable::address_in_file(address);
    site.line = routines->line_of(address);
    site.origin = origin_of(site, callee_class);
  }
  site.next = latest == nullptr ? 0 : *latest;
  sites_.push_back(site);
  if (latest != nullptr)
    *latest = size();
  else
    latest_at_.insert(address, size());
  return SiteId{size() - 1};
}
