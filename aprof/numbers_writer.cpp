#include "aprof/numbers_writer.hpp"

#include "aprof/lines_writer.hpp"
#include "aprof/snapshot.hpp"
#include "base/text_file.hpp"
#include "trace/arguments.hpp"

#include <algorithm>

namespace {

class NumbersWriter {
public:
  NumbersWriter(TextFile& out, const ProfileOptions& options)
      : out_(out), options_(options), events_(options.events), event_count_(options.event_count) {}

  void table(ThreadIndex thread, const RoutineRecord& record, const CallEdges& callers);
  void context(u32 id, u32 parent, const Context& context, const Totals& totals);
  // `owner`: the thread or context.
  void loop(const char* keyword, u32 owner, const LoopRecord& record, const LoopRecord::Sums& sums);
  void argument(ThreadIndex thread, RoutineId routine, const char* name, const PointTable& points);

private:
  void totals(const Totals& totals, u64 calls);
  void point_tables(const RoutineRecord& record);
  void points(const char* metric, const PointTable& points);
  void statistics(const CostStatistics& statistics);
  void callers(const CallEdges& callers);
  void costs(const AllCosts& first, const AllCosts& second);

  TextFile& out_;
  const ProfileOptions& options_;
  const CostEvent* events_;
  unsigned event_count_;
};

void NumbersWriter::table(ThreadIndex thread, const RoutineRecord& record,
                          const CallEdges& callers_) {
  out_ << "table " << index(thread) << ' ' << index(record.routine) << ' ';
  totals(callers_.sum(), record.calls);
  point_tables(record);
  callers(callers_);
}

void NumbersWriter::context(u32 id, u32 parent, const Context& context, const Totals& sums) {
  out_ << "context " << id << ' ';
  if (context.merged)
    out_ << '-';
  else
    out_ << parent;
  out_ << ' ' << index(context.thread) << ' ' << index(context.routine) << ' ';
  totals(sums, context.calls);
  point_tables(context);
}

void NumbersWriter::totals(const Totals& totals, u64 calls) {
  out_ << calls << ' ' << totals.unfinished << ' ' << totals.induced_by_thread << ' '
       << totals.induced_by_kernel;
  costs(totals.inclusive, totals.self);
  out_.end_line();
}

void NumbersWriter::costs(const AllCosts& first, const AllCosts& second) {
  for (unsigned i = 0; i < event_count_; i++) {
    const auto event = static_cast<unsigned>(events_[i]);
    out_ << ' ' << first.of[event] << ' ' << second.of[event];
  }
}

void NumbersWriter::point_tables(const RoutineRecord& record) {
  if (options_.trms)
    points("trms", record.trms());
  if (options_.rms)
    points("rms", record.rms());
}

void NumbersWriter::loop(const char* keyword, u32 owner, const LoopRecord& of,
                         const LoopRecord::Sums& sums) {
  out_ << keyword << ' ' << owner << ' ' << index(of.loop.id) << ' ' << sums.calls << ' '
       << sums.unfinished << ' ' << sums.iterations << ' ' << sums.induced_by_thread << ' '
       << sums.induced_by_kernel;
  costs(sums.inclusive, sums.self);
  out_.end_line();
  if (options_.trms)
    points("trms", of.trms());
  if (options_.rms)
    points("rms", of.rms());
  points("iterations", of.iterations());
  u64 bins = 0;
  for (const ProgressBin& bin : of.progress())
    bins += bin.iterations > 0;
  out_ << "progress " << bins << '\n';
  for (std::size_t octave = 0; octave < of.progress().size(); octave++) {
    const ProgressBin& bin = of.progress()[octave];
    if (bin.iterations == 0)
      continue;
    out_ << (u64{1} << octave) << ' ' << bin.iterations << ' ' << bin.rms << ' ' << bin.new_cells;
    for (unsigned i = 0; i < event_count_; i++)
      if (static_cast<unsigned>(events_[i]) < kCountedEvents)
        out_ << ' ' << bin.cost[events_[i]];
    out_.end_line();
  }
}

void NumbersWriter::argument(ThreadIndex thread, RoutineId routine, const char* name,
                             const PointTable& by_value) {
  u64 calls = 0;
  for (std::size_t i = 0; i < by_value.size(); i++)
    calls += by_value.point(i).calls;
  out_ << "argument " << index(thread) << ' ' << index(routine) << ' ' << calls << ' ';
  out_.put_escaped(name);
  out_.end_line();
  points("argument", by_value);
}

void NumbersWriter::points(const char* metric, const PointTable& points) {
  out_ << "points " << metric << ' ' << u64{points.size()} << ' ' << points.precision() << '\n';
  for (const u32 i : points.order()) {
    const Point& point = points.point(i);
    out_ << point.size / point.calls << ' ' << point.calls << ' ' << point.induced_by_thread << ' '
         << point.induced_by_kernel;
    if (options_.loops)
      out_ << ' ' << point.children_rms;
    for (unsigned event = 0; event < event_count_; event++) {
      statistics(points.inclusive(i, event));
      statistics(points.self(i, event));
    }
    out_.end_line();
  }
}

void NumbersWriter::statistics(const CostStatistics& cost) {
  out_ << ' ' << cost.min << ' ' << cost.max << ' ' << cost.sum << ' ' << cost.squares();
}

u32 caller_id(const CallEdge* edge) {
  return edge->caller == nullptr ? 0 : index(edge->caller->routine);
}

void NumbersWriter::callers(const CallEdges& callers) {
  Vector<const CallEdge*> edges("aprof.writer.edges");
  callers.for_each([&](const CallEdge& edge) { edges.push_back(&edge); });
  std::sort(edges.begin(), edges.end(),
            [](const CallEdge* a, const CallEdge* b) { return caller_id(a) < caller_id(b); });
  out_ << "callers " << u64{edges.size()} << '\n';
  for (const CallEdge* edge : edges) {
    const Totals& totals = edge->totals;
    out_ << caller_id(edge) << ' ' << totals.calls << ' ' << totals.unfinished;
    costs(totals.inclusive + totals.nested, totals.inclusive);
    out_.end_line();
  }
}

} // namespace

namespace {

void write_contexts(TextFile& out, Snapshot& snapshot, NumbersWriter& writer,
                    const ContextTree& contexts) {
  u64 count = 0;
  Vector<u32> ids("aprof.writer.contexts"); // by place
  ids.resize(contexts.all().size());
  for (const Context* context : contexts.all())
    count += context->calls > 0;
  out << "contexts " << count << ' ' << contexts.merged_calls() << '\n';
  u32 id = 0;
  snapshot.for_each_context([&](const Context& context, const Totals& totals) {
    ids[context.place] = ++id;
    writer.context(id, context.is_root() ? 0 : ids[context.parent->place], context, totals);
  });
}

void write_loops(TextFile& out, Snapshot& snapshot, NumbersWriter& writer) {
  u64 count = 0;
  snapshot.for_each_loop([&](ThreadIndex, const LoopRecord&, const LoopRecord::Sums&) { count++; });
  out << "loops " << count << '\n';
  snapshot.for_each_loop(
      [&](ThreadIndex thread, const LoopRecord& record, const LoopRecord::Sums& sums) {
        writer.loop("loop-table", index(thread), record, sums);
      });
}

// Calls f(id of the context, record, sums) for each loop that was executed in a context.
template <typename F> void for_each_loop_in_context(Snapshot& snapshot, F f) {
  u32 id = 0; // as in write_contexts
  snapshot.for_each_context([&](const Context& context, const Totals&) {
    id++;
    snapshot.for_each_loop_in(context, [&](const LoopRecord& record, const LoopRecord::Sums& sums) {
      f(id, record, sums);
    });
  });
}

void write_loops_in_contexts(TextFile& out, Snapshot& snapshot, NumbersWriter& writer) {
  u64 count = 0;
  for_each_loop_in_context(snapshot, [&](auto&&...) { count++; });
  out << "context-loops " << count << '\n';
  for_each_loop_in_context(
      snapshot, [&](u32 context, const LoopRecord& record, const LoopRecord::Sums& sums) {
        writer.loop("context-loop", context, record, sums);
      });
}

// Calls f(thread, routine, name, points) for each argument that has points.
template <typename F> void for_each_argument(Snapshot& snapshot, F f) {
  snapshot.for_each_table([&](ThreadIndex thread, const RoutineRecord& record, const CallEdges&) {
    for (unsigned i = 0; i < KeptArguments::kMost; i++)
      if (const PointTable* points = record.points_by(i))
        f(thread, record.routine, arguments->name(record.routine, i), *points);
  });
}

void write_arguments(TextFile& out, Snapshot& snapshot, NumbersWriter& writer) {
  u64 count = 0;
  for_each_argument(snapshot, [&](auto&&...) { count++; });
  out << "arguments " << count << '\n';
  for_each_argument(
      snapshot, [&](ThreadIndex thread, RoutineId routine, const char* name,
                    const PointTable& points) { writer.argument(thread, routine, name, points); });
}

} // namespace

void write_numbers(TextFile& out, const Engine& engine, const Profile& profile,
                   const Vector<LineCounters::LineCost>& lines) {
  Snapshot snapshot(engine, profile);
  NumbersWriter writer(out, profile.options());
  snapshot.for_each_table([&](ThreadIndex thread, const RoutineRecord& record,
                              const CallEdges& callers) { writer.table(thread, record, callers); });
  if (profile.options().max_contexts > 0)
    write_contexts(out, snapshot, writer, profile.contexts());
  if (profile.options().loops)
    write_loops(out, snapshot, writer);
  if (profile.options().loops && profile.options().max_contexts > 0)
    write_loops_in_contexts(out, snapshot, writer);
  if (arguments != nullptr)
    write_arguments(out, snapshot, writer);
  if (line_counters != nullptr)
    write_lines(out, snapshot, profile.options(), lines);
}
