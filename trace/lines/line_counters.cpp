#include "trace/lines/line_counters.hpp"

#include "trace/call_events.hpp"
#include "trace/inline_info.hpp"

#include <algorithm>
#include <tuple>

LineCounters* line_counters;

namespace {

// Packs two numbers into a key. The bits that distinguish most pairs are in the lower half, which
// the hash function mixes best.
u64 pair(u32 high, u32 low) { return u64{high} << 32 | (low ^ high); }

u32 number_in(AddressMap<u32>& numbers, u64 key) {
  const u32* const known = numbers.find(key);
  return known != nullptr ? *known : numbers.insert(key, static_cast<u32>(numbers.size()));
}

} // namespace

LineCounters::~LineCounters() {
  for (u64* counters : counters_)
    unmap_pages(counters, kMapped * sizeof(u64));
}

u32 LineCounters::number_of(RoutineId routine, RoutineTable::SourceLine line, GuestAddr address) {
  const char* const inlined = inline_info::inlined_at(address);
  return number_of(
      {routine, line.file, line.line, inlined == nullptr ? 0 : functions_.intern(inlined)});
}

const u64* LineCounters::add_run(u32 block_begins_at) {
  if (runs_.size() == kMost)
    return nullptr;
  const std::size_t number = runs_.size();
  if (number % kMapped == 0)
    counters_.push_back(static_cast<u64*>(map_pages("line counters", kMapped * sizeof(u64))));
  runs_.push_back({static_cast<u32>(instructions_.size()), block_begins_at});
  return &counter(number);
}

void LineCounters::add_instruction(u32 line) {
  if (line == kNoLine || runs_.size() == kMost)
    return;
  if (instructions_.size() > runs_.back().first && instructions_.back().line == line)
    instructions_.back().count++;
  else
    instructions_.push_back({line, 1});
}

u32 LineCounters::number_of(const Line& line) {
  const u32 code = number_in(codes_, pair(index(line.routine), line.function));
  const u32 place = number_in(places_, pair(line.file, line.line));
  const u64 key = pair(code, place);
  if (const u32* const known = numbers_.find(key))
    return *known;
  lines_.push_back(line);
  return numbers_.insert(key, static_cast<u32>(lines_.size() - 1));
}

Vector<LineCounters::LineCost> LineCounters::costs() const {
  Vector<LineCost> costs("trace.lines.costs");
  for (const Line& line : lines_)
    costs.push_back({line, {}});
  for (std::size_t i = 0; i < runs_.size(); i++) {
    const u64 executions = counter(i);
    const std::size_t end = i + 1 < runs_.size() ? runs_[i + 1].first : instructions_.size();
    if (runs_[i].block_begins_at != kNoLine)
      costs[runs_[i].block_begins_at].cost[CostEvent::basic_blocks] += executions;
    for (std::size_t part = runs_[i].first; part < end; part++)
      costs[instructions_[part].line].cost[CostEvent::instructions] +=
          executions * instructions_[part].count;
  }
  std::sort(costs.begin(), costs.end(), [](const LineCost& a, const LineCost& b) {
    const auto key = [](const Line& of) {
      return std::tuple(of.routine, of.file, of.line, of.function);
    };
    return key(a.line) < key(b.line);
  });
  return costs;
}

void LineCounters::clear() {
  for (u64* counters : counters_)
    std::fill_n(counters, kMapped, 0);
}
