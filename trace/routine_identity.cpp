// The part of RoutineTable that decides which code belongs to which routine.
#include "trace/routines.hpp"

#include "base/pattern.hpp"
#include "base/valgrind.hpp"
#include "trace/clone_names.hpp"
#include "trace/constructor_names.hpp"

namespace {

u64 hash(const char* text, u64 seed) { // FNV-1a
  for (; *text != 0; text++)
    seed = (seed ^ static_cast<u8>(*text)) * 0x100000001B3u;
  return seed;
}

// Returns the length of a demangled name without its parameters: of `a::f` for `a::f(int) const`.
std::size_t without_parameters(const char* name, std::size_t length) {
  std::size_t end = length;
  while (end > 0 && (name[end - 1] == ' ' || name[end - 1] == '&' ||
                     (name[end - 1] >= 'a' && name[end - 1] <= 'z')))
    end--; // ` const`, ` &&`
  unsigned open = 0;
  for (; end > 0; end--) {
    if (name[end - 1] == ')')
      open++;
    if (open == 0)
      return length;
    if (name[end - 1] == '(' && --open == 0)
      return end - 1 > 0 ? end - 1 : length;
  }
  return length;
}

// Likewise of `f` for `f[abi:cxx11]`.
std::size_t without_abi_tag(const char* name, std::size_t length) {
  constexpr const char* kTag = "[abi:";
  std::size_t begin = length;
  if (begin > 0 && name[begin - 1] == ']')
    while (begin > 0 && name[begin - 1] != '[')
      begin--;
  const bool is_tag = begin > 1 && VG_(strncmp)(name + begin - 1, kTag, 5) == 0;
  return is_tag ? begin - 1 : length;
}

// Returns what people read as the name of a clone, `f.part.0` for `f(int) [clone .part.0]`. The
// name has lengths without parameters and without the clone's suffixes.
Vector<char> clone_symbol(const char* name, std::size_t plain, std::size_t in_source) {
  constexpr const char* kClone = " [clone ";
  Vector<char> symbol("trace.name");
  for (std::size_t i = 0; i < plain; i++)
    symbol.push_back(name[i]);
  for (const char* at = name + in_source; *at != 0; at++) {
    if (VG_(strncmp)(at, kClone, 8) == 0)
      at += 8;
    if (*at != ']')
      symbol.push_back(*at);
  }
  symbol.push_back(0);
  return symbol;
}

// Valid until the core is asked for another name.
const char* mangled_name(GuestAddr symbol) {
  const char* name;
  return VG_(get_fnname_raw)(VG_(current_DiEpoch)(), symbol, &name) ? name : "";
}

} // namespace

RoutineId RoutineTable::resolve(GuestAddr address) {
  if (is_nameless(address))
    return nameless(address);
  const GuestAddr symbol = symbol_start(address); // an entry in the middle of foo is foo's, too
  if (const RoutineId* known = by_symbol_.find(symbol))
    return *known;
  const Code code = code_at(symbol);
  if (code.may_be_piece)
    pieces_.insert(symbol, 0);
  const bool is_defined = code.definition && *code.definition->file != 0;
  const SourceLine line =
      is_defined ? SourceLine{files_.intern(code.definition->file), code.definition->line}
                 : line_of(symbol);
  return by_symbol_.insert(symbol, intern({.object = code.object,
                                           .function = code.function,
                                           .file = line.file,
                                           .line = line.line,
                                           .address = address_in_file(symbol),
                                           .has_symbol = true,
                                           .name = code.name.begin()}));
}

RoutineId RoutineTable::nameless(GuestAddr address) {
  const GuestAddr in_file = address_in_file(address);
  const u32 object = object_of(address);
  char name[256];
  VG_(snprintf)(name, sizeof name, "%.200s+0x%lx", VG_(basename)(objects_[object]), in_file);
  return intern({.object = object,
                 .function = in_file << 1,
                 .file = 0,
                 .line = 0,
                 .address = in_file,
                 .has_symbol = false,
                 .name = name});
}

u32 RoutineTable::object_of(GuestAddr address) {
  const char* object = nullptr;
  return objects_.intern(VG_(get_objname)(VG_(current_DiEpoch)(), address, &object) ? object
                                                                                    : kInNoFile);
}

RoutineTable::Code RoutineTable::code_at(GuestAddr symbol) {
  Code code;
  code.object = object_of(symbol);
  ObjectFunctions& functions = functions_of(code.object);
  const GuestAddr in_file = address_in_file(symbol);
  code.definition = functions.definition(in_file, mangled_name(symbol));
  const char* name;
  VG_(get_fnname)(VG_(current_DiEpoch)(), symbol, &name);
  const CloneName clone = CloneName::of(name);
  GuestAddr function = in_file;
  const bool is_instance = code.definition && code.definition->is_instance;
  const bool is_variant = is_constructor_or_destructor(name);
  if ((clone.in_source < clone.length && !is_instance) || is_variant)
    function = functions.function(in_file);
  code.may_be_piece = clone.pieces > 0 || is_variant;
  if (function != in_file)
    code.definition = functions.definition(function, mangled_name(symbol - in_file + function));
  code.function = code.definition ? code.definition->function << 1 | 1 : function << 1;
  const std::size_t length = counted_length(clone);
  code.name.resize(length + 1);
  VG_(strncpy)(code.name.begin(), name, length);
  if (clones_ == Clones::apart)
    code.function = hash(code.name.begin(), code.function);
  return code;
}

std::optional<Vector<InlinedFunction>> RoutineTable::inlined_at(GuestAddr address) {
  return functions_of(object_of(address)).inlined_at(address_in_file(address));
}

Vector<NamedArgument> RoutineTable::arguments_at(GuestAddr address) {
  return functions_of(object_of(address)).arguments_at(address_in_file(address));
}

ObjectFunctions& RoutineTable::functions_of(u32 object) {
  while (functions_.size() < object)
    functions_.push_back(nullptr);
  ObjectFunctions*& functions = functions_[object - 1];
  if (functions == nullptr)
    functions = create<ObjectFunctions>("trace.routines", objects_[object]);
  return *functions;
}

// Returns the routine with this identity, or adds one with a copy of the name.
RoutineId RoutineTable::intern(const Routine& candidate) {
  u64 key = candidate.function * 0x9E3779B97F4A7C15u + candidate.object;
  for (;; key++) {
    const RoutineId* id = by_identity_.find(key);
    if (id == nullptr)
      break;
    const Routine& known = (*this)[*id];
    if (known.object == candidate.object && known.function == candidate.function)
      return *id;
  }
  routines_.push_back(candidate).name = VG_(strdup)("trace.routine.name", candidate.name);
  const RoutineId id{size()};
  by_identity_.insert(key, id);
  return id;
}

bool RoutineTable::same_routine(GuestAddr from, GuestAddr to) {
  if (is_nameless(from) || is_nameless(to))
    return false;
  from = symbol_start(from);
  to = symbol_start(to);
  if (from == to)
    return true;
  const Code a = code_at(from);
  const Code b = code_at(to);
  return a.object == b.object && a.function == b.function;
}

bool RoutineTable::is_call_within(GuestAddr from, GuestAddr to) {
  if (at_entry(to) == RoutineId::none)
    return same_routine(from, to);
  if (pieces_.find(to) == nullptr || !same_routine(from, to))
    return false;
  const GuestAddr caller = symbol_start(from);
  return functions_of(object_of(to)).is_part(address_in_file(caller), address_in_file(to));
}

std::size_t RoutineTable::counted_length(const CloneName& clone) const {
  return clones_ == Clones::together ? clone.in_source : clone.hot;
}

bool RoutineTable::is_named(RoutineId routine, const Vector<const char*>& patterns) const {
  const char* name = (*this)[routine].name;
  const std::size_t in_source = CloneName::of(name).in_source;
  const std::size_t plain = without_parameters(name, in_source);
  if (matches(clone_symbol(name, plain, in_source).begin(), patterns))
    return true;
  const std::size_t spellings[] = {VG_(strlen)(name), in_source, plain,
                                   without_abi_tag(name, plain)};
  for (const std::size_t length : spellings) {
    Vector<char> function("trace.name");
    function.resize(length + 1);
    VG_(strncpy)(function.begin(), name, length);
    if (matches(function.begin(), patterns))
      return true;
  }
  // Not as a pattern: `*.part.0` would be every function.
  for (const char* clone : patterns) {
    const std::size_t counted = counted_length(CloneName::of(clone));
    for (const std::size_t length : spellings)
      if (counted == length && VG_(strncmp)(name, clone, length) == 0)
        return true;
  }
  return false;
}
