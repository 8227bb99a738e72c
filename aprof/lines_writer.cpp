#include "aprof/lines_writer.hpp"

#include "aprof/snapshot.hpp"
#include "base/text_file.hpp"

#include <span>

namespace {

using LineCost = LineCounters::LineCost;

class LinesWriter {
public:
  LinesWriter(Snapshot& snapshot, const ProfileOptions& options) {
    for (unsigned i = 0; i < options.event_count; i++)
      if (static_cast<unsigned>(options.events[i]) < kCountedEvents)
        has_[static_cast<unsigned>(options.events[i])] = true;
    snapshot.for_each_table([this](ThreadIndex, const RoutineRecord& record,
                                   const CallEdges& callers) {
      const std::size_t routine = index(record.routine);
      if (routine >= self_.size())
        self_.resize(routine + 1);
      const AllCosts& self = callers.sum().self;
      self_[routine].cost += Costs(self[CostEvent::basic_blocks], self[CostEvent::instructions]);
      self_[routine].is_called = true;
    });
  }

  void add(const Vector<LineCost>& costs);
  void write(TextFile& out) const;

private:
  struct Self { // of a routine
    Costs cost;
    bool is_called = false; // it has a table
  };

  void add_routine(RoutineId routine, std::span<const LineCost> lines);
  bool exceeds(const Costs& known, const Costs& self) const;

  bool has_[kCountedEvents]{};              // the profile has this cost event
  Vector<Self> self_{"aprof.writer.lines"}; // by RoutineId
  Vector<LineCost> rows_{"aprof.writer.lines"};
};

void LinesWriter::add(const Vector<LineCost>& costs) {
  std::span<const LineCost> rest(costs.begin(), costs.size());
  for (u32 routine = 1; routine < self_.size(); routine++) {
    const auto of = [&](const LineCost& line) { return index(line.line.routine); };
    while (!rest.empty() && of(rest[0]) < routine)
      rest = rest.subspan(1);
    std::size_t count = 0;
    while (count < rest.size() && of(rest[count]) == routine)
      count++;
    if (self_[routine].is_called)
      add_routine(RoutineId{routine}, rest.first(count));
  }
}

void LinesWriter::add_routine(RoutineId routine, std::span<const LineCost> lines) {
  const Costs& self = self_[index(routine)].cost;
  Costs known;
  for (const LineCost& line : lines)
    known += line.cost;
  if (exceeds(known, self))
    lines = {};
  LineCost without_line{{routine, 0, 0, 0}, {}};
  for (unsigned event = 0; event < kCountedEvents; event++)
    if (has_[event])
      without_line.cost.of[event] = self.of[event] - (lines.empty() ? 0 : known.of[event]);
  if (without_line.cost != Costs{})
    rows_.push_back(without_line);
  for (const LineCost& line : lines)
    if (line.cost != Costs{})
      rows_.push_back(line);
}

bool LinesWriter::exceeds(const Costs& known, const Costs& self) const {
  bool exceeds = false;
  for (unsigned event = 0; event < kCountedEvents; event++)
    exceeds |= has_[event] && known.of[event] > self.of[event];
  return exceeds;
}

void LinesWriter::write(TextFile& out) const {
  out << "lines " << u64{rows_.size()} << '\n';
  for (const auto& [line, cost] : rows_) {
    out << index(line.routine) << ' ' << line.file << ' ' << line.line << ' ' << line.function
        << ' ' << cost[CostEvent::instructions];
    if (has_[static_cast<unsigned>(CostEvent::basic_blocks)])
      out << ' ' << cost[CostEvent::basic_blocks];
    out.end_line();
  }
}

} // namespace

void write_lines(TextFile& out, Snapshot& snapshot, const ProfileOptions& options,
                 const Vector<LineCost>& costs) {
  LinesWriter writer(snapshot, options);
  writer.add(costs);
  writer.write(out);
}
