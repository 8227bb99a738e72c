#include "trace/debug_info/definitions.hpp"

#include "base/valgrind.hpp"
#include "trace/clone_names.hpp"
#include "trace/debug_info/dwarf_line_files.hpp"
#include "trace/debug_info/dwarf_ranges.hpp"

#include <algorithm>

namespace {

// Linkers give code that they have discarded addresses near 0. gold places other code in the first
// page, too.
bool is_left_out(const CodeRange& range, const DwarfFile& file) {
  return range.begin >= range.end || range.begin < file.first_code();
}

// Returns the piece of code that contains the address and is wanted, the one with the latest
// beginning if there are several; null if there is none.
template <typename Piece, typename F>
const Piece* with(const Vector<Piece>& sorted, u64 address, F is_wanted) {
  const Piece* behind =
      std::upper_bound(sorted.begin(), sorted.end(), address,
                       [](u64 wanted, const Piece& piece) { return wanted < piece.begin; });
  // Pieces overlap where the linker or compiler merged functions.
  constexpr int kNested = 8;
  for (int i = 0; i < kNested && behind != sorted.begin(); i++)
    if (address < (--behind)->end && is_wanted(*behind))
      return behind;
  return nullptr;
}

template <typename Piece> const Piece* with(const Vector<Piece>& sorted, u64 address) {
  return with(sorted, address, [](const Piece&) { return true; });
}

template <typename Piece> bool has_several(const Vector<Piece>& sorted, u64 address) {
  int count = 0;
  return with(sorted, address, [&](const Piece&) { return ++count == 2; }) != nullptr;
}

template <typename Piece> void sort(Vector<Piece>& pieces) {
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
}

} // namespace

Definitions::Found Definitions::function_at(u64 address) {
  if (!file_.has_units())
    return {nullptr, nullptr};
  if (!has_units_)
    find_units();
  const UnitCode* code = with(code_, address);
  if (code == nullptr)
    return {nullptr, nullptr};
  Unit& unit = units_[code->unit];
  return {&unit, with(functions_of(unit), address)};
}

// gold leaves the entries of all functions that it has folded, and refers them to the code that it
// kept.
Definitions::Found Definitions::function_at(u64 address, const char* symbol) {
  const Found first = function_at(address);
  if (first.function == nullptr ||
      (!has_several(code_, address) && !has_several(first.unit->functions, address)))
    return first;
  const u64 begin = first.function->begin;
  const std::size_t length = CloneName::of(symbol).in_source;
  Vector<char> name("trace.definitions");
  for (std::size_t i = 0; i < length; i++)
    name.push_back(symbol[i]);
  name.push_back(0);
  Found named = first;
  with(code_, address, [&](const UnitCode& code) {
    Unit& unit = units_[code.unit];
    const Code* function = with(functions_of(unit), address, [&](const Code& candidate) {
      return candidate.begin == begin && is_called(candidate, name.begin());
    });
    if (function != nullptr)
      named = {&unit, function};
    return function != nullptr;
  });
  return named;
}

// By its entry, or by one that this refers to.
bool Definitions::is_called(const Code& function, const char* symbol) {
  u64 entry = function.entry;
  // A damaged file may contain a cycle.
  constexpr int kMostSteps = 8;
  for (int step = 0; step < kMostSteps && entry != 0; step++) {
    const u32 number = unit_with(entry);
    if (number == units_.size())
      return false;
    const DwarfUnit unit(file_, units_[number].header);
    if (unit.has_name(entry, symbol))
      return true;
    entry = unit.entry_at(entry).origin;
  }
  return false;
}

const Vector<Definitions::Code>& Definitions::functions_of(Unit& unit) {
  if (!unit.is_read)
    read_functions(unit);
  return unit.functions;
}

std::optional<Definition> Definitions::find(u64 address, const char* symbol) {
  std::optional<Definition> found;
  if (const Code* function = function_at(address, symbol).function) {
    Place place = function->place;
    // A damaged file may contain a cycle.
    constexpr int kMostUnits = 4;
    for (int i = 0; i < kMostUnits && place.next != 0; i++)
      follow(place);
    const char* file = place.has_file ? file_name(units_[place.unit], place.file) : "";
    found = Definition{place.function, file, place.line, place.is_instance};
  }
  file_.close();
  return found;
}

std::optional<Vector<InlinedFunction>> Definitions::inlined_at(u64 address) {
  std::optional<Vector<InlinedFunction>> found;
  const auto [unit, function] = function_at(address);
  if (function != nullptr) {
    found.emplace("trace.definitions");
    for (u32 i = function->first_inlined; i < function->end_inlined; i++)
      if (const InlinedCode& code = unit->inlined[i]; code.begin <= address && address < code.end)
        found->push_back(
            {function_name(code.function), file_name(*unit, code.call_file), code.call_line});
  }
  file_.close();
  return found;
}

Vector<NamedArgument> Definitions::arguments_at(u64 address) {
  Vector<NamedArgument> found("trace.definitions");
  const auto [unit, function] = function_at(address);
  if (function != nullptr && function->first_parameter != function->end_parameter) {
    const Parameter* const all = unit->parameters.begin();
    for (const IntegerArgument& argument : integer_arguments(
             file_, DwarfUnit(file_, unit->header), address, all + function->first_parameter,
             all + function->end_parameter, function->returned))
      if (const char* name = function_name(argument.entry); *name != 0)
        found.push_back({name, argument.number, argument.bytes, argument.is_signed});
  }
  file_.close();
  return found;
}

void Definitions::find_units() {
  has_units_ = true;
  Vector<CodeRange> ranges("trace.definitions");
  for (u64 offset = 0; offset < file_.info.bytes;) {
    const std::optional<DwarfUnitHeader> header = DwarfUnitHeader::read(file_, offset);
    if (!header)
      break;
    offset = header->end;
    const auto number = static_cast<u32>(units_.size());
    units_.push_back({.header = *header});
    if (header->type == dwarf::DW_UT_type)
      continue;
    const DwarfUnit unit(file_, *header);
    read_ranges(file_, unit, unit.first(), ranges);
    for (const CodeRange& range : ranges)
      if (!is_left_out(range, file_))
        code_.push_back({range.begin, range.end, number});
  }
  sort(code_);
}

void Definitions::read_functions(Unit& of) {
  of.is_read = true;
  DwarfUnit unit(file_, of.header);
  unit.load();
  Vector<CodeRange> ranges("trace.definitions");
  // The functions that enclose an entry: gcc nests the bodies of parallel regions within other
  // functions.
  struct Around {
    u32 depth;
    std::size_t first, end; // range of its pieces
  };
  Vector<Around> around("trace.definitions");
  const auto function = [&](u64 offset, const DwarfUnit::Entry& entry, u32 depth) {
    read_ranges(file_, unit, entry, ranges);
    while (!around.empty() && around.back().depth >= depth)
      around.pop_back();
    const auto inlined = static_cast<u32>(of.inlined.size());
    if (entry.tag == dwarf::DW_TAG_inlined_subroutine) {
      for (const CodeRange& range : ranges)
        of.inlined.push_back(
            {range.begin, range.end, entry.origin, entry.call_file, entry.call_line});
      if (!around.empty())
        for (std::size_t i = around.back().first; i < around.back().end; i++)
          of.functions[i].end_inlined = static_cast<u32>(of.inlined.size());
      return;
    }
    const std::size_t first = of.functions.size();
    const auto parameters = static_cast<u32>(of.parameters.size());
    const Parameter::Type returned = returned_by(unit, entry);
    Place place{.next = offset};
    follow(place, unit);
    for (const CodeRange& range : ranges)
      if (!is_left_out(range, file_))
        of.functions.push_back({range.begin, range.end, offset, place, inlined, inlined, parameters,
                                parameters, returned});
    around.push_back({depth, first, of.functions.size()});
  };
  unit.for_each_function(function, [&](u64 offset, const DwarfUnit::Entry& entry) {
    const Parameter parameter = parameter_of(unit, offset, entry);
    of.parameters.push_back(parameter);
    for (std::size_t i = around.back().first; i < around.back().end; i++) {
      Code& code = of.functions[i];
      // DWARF 2 has no reference to `this`, which comes first.
      const bool is_first = code.first_parameter == code.end_parameter;
      if (is_first && parameter.is_artificial && code.place.object == 0 && code.place.next == 0) {
        code.place.object = offset;
        locate_by_class(code.place, unit);
      }
      code.end_parameter = static_cast<u32>(of.parameters.size());
    }
  });
  sort(of.functions);
}

// The return type may be given only in a declaration.
Parameter::Type Definitions::returned_by(const DwarfUnit& unit,
                                         const DwarfUnit::Entry& function) const {
  DwarfUnit::Entry entry = function;
  if (entry.type == 0 && unit.has(entry.origin))
    entry = unit.entry_at(entry.origin);
  u8 bytes = 0;
  return entry.type == 0 ? Parameter::Type::in_integer_register : type_of(unit, entry, &bytes);
}

u32 Definitions::unit_with(u64 entry) const {
  const Unit* behind =
      std::upper_bound(units_.begin(), units_.end(), entry,
                       [](u64 wanted, const Unit& unit) { return wanted < unit.header.offset; });
  return static_cast<u32>(behind == units_.begin() ? units_.size() : behind - 1 - units_.begin());
}

void Definitions::follow(Place& place) {
  const u32 number = unit_with(place.next);
  if (number == units_.size())
    place.next = 0;
  else
    follow(place, DwarfUnit(file_, units_[number].header));
}

// An instance of a function has its own attributes and refers to an abstract entry with those that
// all instances share, which in turn refers to a declaration. Each of them omits what the next one
// contains.
void Definitions::follow(Place& place, const DwarfUnit& unit) const {
  constexpr int kMostSteps = 8;
  for (int step = 0; step < kMostSteps && unit.has(place.next); step++) {
    const DwarfUnit::Entry said = unit.entry_at(place.next);
    place.is_instance |= place.function != 0;
    place.function = place.next;
    place.next = said.origin;
    if (said.object != 0)
      place.object = said.object;
    if (said.file && !place.has_file) {
      place.has_file = true;
      place.file = *said.file;
      place.unit = unit_with(place.function);
    }
    if (said.line && place.line == 0)
      place.line = *said.line;
  }
  if (unit.has(place.next))
    place.next = 0;
  if (place.next == 0)
    locate_by_class(place, unit);
}

// gcc gives no place to a lambda's operator(), nor to other functions that nobody has written, but
// to their class.
void Definitions::locate_by_class(Place& place, const DwarfUnit& unit) const {
  constexpr int kMostSteps = 8; // parameter, const, pointer, const, class
  u64 next = place.object;
  for (int step = 0; step < kMostSteps && !place.has_file && unit.has(next); step++) {
    const DwarfUnit::Entry said = unit.entry_at(next);
    const bool is_class =
        said.tag == dwarf::DW_TAG_class_type || said.tag == dwarf::DW_TAG_structure_type;
    if (is_class && said.file && said.line) {
      place.has_file = true;
      place.file = *said.file;
      place.line = *said.line;
      place.unit = unit_with(next);
    }
    next = said.type != 0 ? said.type : said.origin;
  }
}

const char* Definitions::file_name(Unit& unit, u32 file) {
  // A damaged file may claim any number.
  constexpr u32 kMostFiles = 1 << 20;
  if (file >= kMostFiles)
    return "";
  while (unit.files.size() <= file)
    unit.files.push_back(nullptr);
  const char*& name = unit.files[file];
  if (name == nullptr)
    name = VG_(strdup)("trace.definitions",
                       source_file(file_, DwarfUnit(file_, unit.header), file).begin());
  return name;
}

// The name of an entry, or of the one it refers to, as for an instance of a function.
const char* Definitions::function_name(u64 entry) {
  if (const char* const* known = names_.find(entry))
    return *known;
  const char* name = "";
  u64 at = entry;
  // A damaged file may contain a cycle.
  constexpr int kMostSteps = 8;
  for (int step = 0; step < kMostSteps && at != 0 && *name == 0; step++) {
    const u32 number = unit_with(at);
    if (number == units_.size())
      break;
    const DwarfUnit unit(file_, units_[number].header);
    if (const Vector<char> own = unit.name_of(at); !own.empty())
      name = VG_(strdup)("trace.definitions", own.begin());
    at = unit.entry_at(at).origin;
  }
  names_.insert(entry, name);
  return name;
}
