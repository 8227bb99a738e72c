#include "aprof/profile_writer.hpp"

#include "aprof-config.h"
#include "aprof/collector.hpp"
#include "aprof/engine/engine.hpp"
#include "aprof/helpers.hpp"
#include "aprof/limits.hpp"
#include "aprof/loop_names.hpp"
#include "aprof/numbers_writer.hpp"
#include "aprof/options.hpp"
#include "base/profile_file.hpp"
#include "base/valgrind.hpp"
#include "trace/call_events.hpp"
#include "trace/lines/line_counters.hpp"
#include "trace/profile_records.hpp"
#include "trace/threads.hpp"

#include <optional>

namespace aprof::profile_writer {
namespace {

constexpr const char* kEventNames[kCostEvents] = {"bb", "instr", "work", "span"};
constexpr const char* kEventUnits[kCountedEvents] = {"guest basic blocks", "guest instructions"};

class Writer {
public:
  Writer(TextFile& out, const Options& options, const char* reason)
      : out_(out), options_(options), reason_(reason), profile_(collector::complete_profile()),
        events_(profile_.options().events), event_count_(profile_.options().event_count) {
    if (line_counters != nullptr)
      lines_ = line_counters->costs();
  }

  void write();

private:
  void header();
  void columns();
  void threads();
  void routine_names();
  void function_names();
  void option(const char* name, const char* value) {
    out_ << "option " << name << ' ';
    out_.put_escaped(value);
    out_.end_line();
  }
  void option(const char* name, u64 value) { out_ << "option " << name << ' ' << value << '\n'; }
  const char* event_name(unsigned i) const {
    return kEventNames[static_cast<unsigned>(events_[i])];
  }
  const char* event_unit(unsigned i) const {
    const bool counted = static_cast<unsigned>(events_[i]) < kCountedEvents;
    const CostEvent of = counted ? events_[i] : profile_.options().work_event;
    return kEventUnits[static_cast<unsigned>(of)];
  }

  TextFile& out_;
  const Options& options_;
  const char* reason_;
  const Profile& profile_;
  const CostEvent* events_;
  unsigned event_count_;
  Vector<LineCounters::LineCost> lines_{"aprof.writer.lines"};
};

void Writer::write() {
  header();
  columns();
  routine_names();
  threads();
  write_numbers(out_, engine(), profile_, lines_);
  profile_records::put_end(out_);
}

void Writer::header() {
  const bool has_arguments = profile_.options().arguments != KeepArguments::none;
  out_ << "aprof-trms-profile "
       << (options_.loops && options_.contexts ? "7"
           : options_.loops                    ? "6"
           : has_arguments                     ? "5"
           : options_.lines                    ? "4"
           : any_limit()                       ? "3"
                                               : "2")
       << '\n';
  profile_records::put_run(out_, "aprof-trms " PACKAGE_VERSION, VALGRIND_VERSION, reason_);
  option("memory-resolution", options_.memory_resolution);
  option("input-metric", options_.input_metric);
  option("cost", options_.cost);
  option("work-span", options_.work_span ? "yes" : "no");
  if (options_.loops)
    option("loops", "yes");
  if (options_.lines)
    option("lines", "yes");
  if (has_arguments)
    option("arguments", options_.arguments);
  option("max-points", options_.max_points);
  option("contexts", options_.contexts ? "yes" : "no");
  option("max-contexts", options_.max_contexts);
  option("counter-limit", options_.counter_limit);
  if (options_.clones == Clones::apart)
    option("clones", "apart");
  option("separate-threads", options_.separate_threads ? "yes" : "no");
  option("collect-at-start", options_.collect_at_start ? "yes" : "no");
  option("instr-at-start", options_.instr_at_start ? "yes" : "no");
  for (const char* pattern : options_.toggle_collect)
    option("toggle-collect", pattern);
  for (const char* pattern : options_.collect_from)
    option("collect-from", pattern);
  for (const char* pattern : options_.collect_until)
    option("collect-until", pattern);
  out_ << "fair-sched " << threads::fair_scheduling() << '\n';
  for (const Limit& each : limits())
    if (each.count > 0)
      out_ << "note " << each.kind << ' ' << each.count << ' ' << each.text << '\n';
  out_ << "renumberings " << engine().renumberings() << '\n';
  for (unsigned i = 0; i < event_count_; i++)
    out_ << "uncounted " << event_name(i) << ' '
         << without_work_span(collector::uncounted())[events_[i]] << '\n';
}

void Writer::columns() {
  for (unsigned i = 0; i < event_count_; i++)
    out_ << "event " << event_name(i) << ' ' << event_unit(i) << '\n';
  for (const char* metric : {"trms", "rms"})
    if (metric[0] == 't' ? profile_.options().trms : profile_.options().rms)
      out_ << "metric " << metric << " cells of " << options_.memory_resolution
           << (options_.memory_resolution == 1 ? " byte\n" : " bytes\n");
  out_ << "columns size calls thread external";
  if (options_.loops)
    out_ << " children";
  for (unsigned i = 0; i < event_count_; i++)
    for (const char* of : {"", ".self"})
      for (const char* statistic : {".min", ".max", ".sum", ".sumsq"})
        out_ << ' ' << event_name(i) << of << statistic;
  out_.end_line();
}

void Writer::routine_names() {
  std::optional<LoopNames> loop_names;
  if (options_.loops)
    loop_names.emplace();
  profile_records::Names names;
  profile_.for_each_part([&](const RoutineRecord& record) {
    if (record.calls > 0)
      names.use(record.routine);
  });
  for (const ClientThread* thread : threads::all())
    for (const RoutineId routine : thread->created_in)
      names.use(routine);
  if (loop_names)
    loop_names->use(names);
  for (const LineCounters::LineCost& line : lines_)
    if (line.line.file != 0)
      names.use_file(line.line.file);
  names.put(out_);
  if (loop_names)
    loop_names->put(out_, names);
  function_names();
}

void Writer::function_names() {
  if (!options_.lines)
    return;
  const StringTable& functions = line_counters->functions();
  for (u32 id = 1; id <= functions.size(); id++) {
    out_ << "function " << id << ' ';
    out_.put_escaped(functions[id]);
    out_.end_line();
  }
}

void Writer::threads() {
  for (const ClientThread* thread : threads::all()) {
    out_ << "thread " << index(thread->index) << ' ' << index(thread->creator) << ' ';
    if (thread->created_in.empty())
      out_ << '-';
    for (std::size_t i = 0; i < thread->created_in.size(); i++) {
      if (i > 0)
        out_ << '>';
      out_ << index(thread->created_in[i]);
    }
    out_ << ' ';
    out_.put_escaped(thread->name);
    out_.end_line();
    if (!options_.separate_threads)
      return; // all are one
  }
}

const Options* the_options;
ProfileFile* file;

void write_all(TextFile& out, const char* reason) {
  if (the_options->sanity)
    engine().check();
  Writer(out, *the_options, reason).write();
}

} // namespace

void start(const Options& options) {
  the_options = &options;
  file = create<ProfileFile>("aprof.writer", "--aprof-out-file", options.out_file, write_all);
  file->check_path();
}

const char* write(const char* reason) { return file->write(reason); }
const char* write_dump(const char* hint) { return file->write_dump(hint); }
void write_before_exec() { file->write_before_exec(); }
void forget_exec() { file->forget_exec(); }

} // namespace aprof::profile_writer
