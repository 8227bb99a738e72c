#include "aprof/profile_writer.hpp"

#include "aprof-config.h"
#include "aprof/collector.hpp"
#include "aprof/engine.hpp"
#include "aprof/helpers.hpp"
#include "aprof/options.hpp"
#include "base/text_file.hpp"
#include "base/valgrind.hpp"
#include "trace/call_events.hpp"
#include "trace/threads.hpp"

#include <utility>

extern "C" {
#include "pub_tool_xarray.h"
}

namespace profile_writer {
namespace {

constexpr const char* kEventNames[kCostEvents] = {"bb", "instr"};
constexpr const char* kEventUnits[kCostEvents] = {"guest basic blocks", "guest instructions"};

// What the activations of a record that are pending now add to it.
struct Row {
  Totals totals;
  u64 unfinished = 0;
};

class Writer {
public:
  Writer(TextFile& out, const Options& options, const char* reason)
      : out_(out), options_(options), reason_(reason), profile_(collector::profile()),
        events_(profile_.options().events), event_count_(profile_.options().event_count) {}

  void write();

private:
  void header();
  void command();
  void word(const char* text);
  void columns();
  void threads();
  void routine_names();
  void tables();
  void table(ThreadIndex thread, const RoutineRecord& record, const Row& pending);
  void name(const char* keyword, u32 id, const char* text) {
    out_ << keyword << ' ' << id << ' ';
    out_.put_escaped(text);
    out_.end_line();
  }
  void points(const char* metric, const PointTable& points);
  void statistics(const CostStatistics& statistics);
  void option(const char* name, const char* value) {
    out_ << "option " << name << ' ';
    out_.put_escaped(value);
    out_.end_line();
  }
  void option(const char* name, u64 value) { out_ << "option " << name << ' ' << value << '\n'; }
  const char* event_name(unsigned i) const {
    return kEventNames[static_cast<unsigned>(events_[i])];
  }

  TextFile& out_;
  const Options& options_;
  const char* reason_;
  const Profile& profile_;
  const CostEvent* events_;
  unsigned event_count_;
};

void Writer::write() {
  header();
  columns();
  routine_names();
  threads();
  tables();
  const u64 lines = out_.lines();
  const u32 checksum = out_.adler32();
  out_ << "end " << lines << ' ';
  out_.put_hexadecimal(checksum);
  out_.end_line();
}

// Quoted for a shell where needed.
void Writer::word(const char* text) {
  bool plain = *text != 0;
  for (const char* c = text; *c != 0; c++)
    plain &= VG_(isdigit)(*c) || (VG_(tolower)(*c) >= 'a' && VG_(tolower)(*c) <= 'z') ||
             VG_(strchr)("_-+=:,./@%^", *c) != nullptr;
  if (plain) {
    out_ << text;
    return;
  }
  Vector<char> quoted("aprof.writer.word");
  quoted.push_back('\'');
  for (const char* c = text; *c != 0; c++)
    if (*c == '\'')
      for (char part : {'\'', '\\', '\'', '\''})
        quoted.push_back(part);
    else
      quoted.push_back(*c);
  quoted.push_back('\'');
  quoted.push_back(0);
  out_.put_escaped(quoted.begin());
}

void Writer::command() {
  out_ << "command ";
  word(VG_(args_the_exename));
  for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_client)); i++) {
    out_ << ' ';
    word(*static_cast<HChar**>(VG_(indexXA)(VG_(args_for_client), i)));
  }
  out_.end_line();
}

void Writer::header() {
  out_ << "aprof-trms-profile 1\n"
       << "creator aprof-trms " PACKAGE_VERSION "\n"
       << "valgrind " VALGRIND_VERSION "\n";
  command();
  out_ << "pid " << static_cast<u64>(VG_(getpid)()) << '\n';
  out_ << "reason ";
  out_.put_escaped(reason_);
  out_.end_line();
  option("memory-resolution", options_.memory_resolution);
  option("input-metric", options_.input_metric);
  option("cost", options_.cost);
  option("max-points", options_.max_points);
  option("counter-limit", options_.counter_limit);
  option("separate-threads", options_.separate_threads ? "yes" : "no");
  option("collect-at-start", options_.collect_at_start ? "yes" : "no");
  option("instr-at-start", options_.instr_at_start ? "yes" : "no");
  for (const char* pattern : options_.toggle_collect)
    option("toggle-collect", pattern);
  out_ << "fair-sched " << threads::fair_scheduling() << '\n';
  out_ << "renumberings " << engine().renumberings() << '\n';
  for (unsigned i = 0; i < event_count_; i++)
    out_ << "uncounted " << event_name(i) << ' '
         << collector::uncounted().of[static_cast<unsigned>(events_[i])] << '\n';
}

void Writer::columns() {
  for (unsigned i = 0; i < event_count_; i++)
    out_ << "event " << event_name(i) << ' ' << kEventUnits[static_cast<unsigned>(events_[i])]
         << '\n';
  for (const char* metric : {"trms", "rms"})
    if (metric[0] == 't' ? profile_.options().trms : profile_.options().rms)
      out_ << "metric " << metric << " cells of " << options_.memory_resolution
           << (options_.memory_resolution == 1 ? " byte\n" : " bytes\n");
  out_ << "columns size calls thread external";
  for (unsigned i = 0; i < event_count_; i++)
    for (const char* of : {"", ".self"})
      for (const char* statistic : {".min", ".max", ".sum", ".sumsq"})
        out_ << ' ' << event_name(i) << of << statistic;
  out_.end_line();
}

// The routines that the profile speaks of, with the objects and files that they name.
void Writer::routine_names() {
  Vector<u8> used("aprof.writer.used");
  used.resize(routines->size() + 1);
  profile_.for_each(
      [&](ThreadIndex, const RoutineRecord& record) { used[index(record.routine)] = 1; });
  for (const ClientThread* thread : threads::all())
    for (const RoutineId routine : thread->created_in)
      used[index(routine)] = 1;

  Vector<u8> object_used("aprof.writer.used");
  object_used.resize(routines->objects().size() + 1);
  Vector<u8> file_used("aprof.writer.used");
  file_used.resize(routines->files().size() + 1);
  for (u32 id = 1; id < used.size(); id++) {
    if (!used[id])
      continue;
    const Routine& routine = (*routines)[RoutineId{id}];
    if (!object_used[routine.object])
      name("object", routine.object, routines->objects()[routine.object]);
    if (routine.file != 0 && !file_used[routine.file])
      name("file", routine.file, routines->files()[routine.file]);
    object_used[routine.object] = 1;
    file_used[routine.file] = 1;
    out_ << "routine " << id << ' ' << routine.object << ' ' << routine.file << ' ' << routine.line
         << ' ' << u64{routine.address} << ' ';
    out_.put_escaped(routine.name);
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

void Writer::tables() {
  AddressMap<Row> pending("aprof.writer.pending"); // by record
  for (const LogicalThread* thread : engine().threads())
    engine().for_each_pending(*thread, [&](const Activation& activation, const Sample& sample) {
      const auto key = reinterpret_cast<u64>(activation.record);
      Row* row = pending.find(key);
      if (row == nullptr)
        row = &pending.insert(key, {});
      row->totals.add(sample, activation.outermost);
      row->unfinished++;
    });
  profile_.for_each([&](ThreadIndex thread, const RoutineRecord& record) {
    const Row* row = pending.find(reinterpret_cast<u64>(&record));
    table(thread, record, row == nullptr ? Row{} : *row);
  });
}

void Writer::table(ThreadIndex thread, const RoutineRecord& record, const Row& pending) {
  const Totals& done = record.totals;
  const Totals& open = pending.totals;
  out_ << "table " << index(thread) << ' ' << index(record.routine) << ' ' << record.calls << ' '
       << record.unfinished + pending.unfinished << ' '
       << done.induced_by_thread + open.induced_by_thread << ' '
       << done.induced_by_kernel + open.induced_by_kernel;
  const Costs inclusive = done.inclusive + open.inclusive;
  const Costs self = done.self + open.self;
  for (unsigned i = 0; i < event_count_; i++) {
    const auto event = static_cast<unsigned>(events_[i]);
    out_ << ' ' << inclusive.of[event] << ' ' << self.of[event];
  }
  out_.end_line();
  if (profile_.options().trms)
    points("trms", record.trms);
  if (profile_.options().rms)
    points("rms", record.rms);
}

void Writer::points(const char* metric, const PointTable& points) {
  out_ << "points " << metric << ' ' << u64{points.size()} << ' ' << points.precision() << '\n';
  for (const u32 i : points.order()) {
    const Point& point = points.point(i);
    out_ << point.size / point.calls << ' ' << point.calls << ' ' << point.induced_by_thread << ' '
         << point.induced_by_kernel;
    for (unsigned event = 0; event < event_count_; event++) {
      statistics(points.inclusive(i, event));
      statistics(points.self(i, event));
    }
    out_.end_line();
  }
}

void Writer::statistics(const CostStatistics& cost) {
  out_ << ' ' << cost.min << ' ' << cost.max << ' ' << cost.sum << ' ' << cost.squares();
}

Vector<char> formatted(const char* format, const char* a, const char* b) {
  Vector<char> text("aprof.writer.path");
  text.resize(VG_(strlen)(format) + VG_(strlen)(a) + VG_(strlen)(b));
  VG_(sprintf)(text.begin(), format, a, b);
  return text;
}

bool exists(const char* path) {
  struct vg_stat unused;
  return !sr_isError(VG_(stat)(path, &unused));
}

// Of the process that the tool was started in.
Int first_pid;
Vector<char>* first_path;

// The path where the profile goes now. %p is another one in a forked child; without it, a child
// adds its process id, so that it does not replace its parent's.
Vector<char> expand(const Options& options) {
  char* expanded = VG_(expand_file_name)("--aprof-out-file", options.out_file);
  char suffix[16] = "";
  if (first_path != nullptr && VG_(getpid)() != first_pid &&
      VG_(strcmp)(expanded, first_path->begin()) == 0 && !TextFile::written_in_place(expanded))
    VG_(sprintf)(suffix, ".%d", VG_(getpid)());
  Vector<char> path = formatted("%s%s", expanded, suffix);
  VG_(free)(expanded);
  return path;
}

// Null, or why it could not be written.
const char* write_to(const char* path, const Options& options, const char* reason) {
  TextFile out;
  if (!out.open(path))
    return out.why();
  Writer(out, options, reason).write();
  return out.finish() ? nullptr : out.why();
}

} // namespace

void check_path(const Options& options) {
  first_path = create<Vector<char>>("aprof.writer.path", expand(options));
  first_pid = VG_(getpid)();
  TextFile probe; // removed again at once
  if (!probe.open(first_path->begin())) {
    VG_(umsg)("cannot write the profile to '%s': %s.\n", first_path->begin(), probe.why());
    VG_(umsg)("Give another place with --aprof-out-file=<file>.\n");
    VG_(exit)(1);
  }
}

namespace {

// Where the last profile went.
Vector<char>* written;
bool written_before_exec = false;

// In `folder`, a name that nothing has.
Vector<char> untaken(const char* folder, const char* name) {
  Vector<char> path = formatted("%s/%s", folder, name);
  char suffix[16];
  for (unsigned n = 2; exists(path.begin()); n++) {
    VG_(sprintf)(suffix, ".%u", n);
    path = formatted("%s%s", formatted("%s/%s", folder, name).begin(), suffix);
  }
  return path;
}

// To `path` or, if that cannot be, to a folder for temporary files.
const char* write_somewhere(Vector<char> path, const Options& options, const char* reason) {
  if (options.sanity)
    engine().check();
  if (written == nullptr)
    written = create<Vector<char>>("aprof.writer.path", "aprof.writer.path");
  *written = std::move(path);
  const char* why = write_to(written->begin(), options, reason);
  if (why == nullptr)
    return written->begin();
  const char* why_elsewhere = why;
  for (const char* folder : {VG_(tmpdir)(), "/tmp", "/var/tmp", "/dev/shm"}) {
    Vector<char> elsewhere = untaken(folder, VG_(basename)(written->begin()));
    why_elsewhere = write_to(elsewhere.begin(), options, reason);
    if (why_elsewhere != nullptr)
      continue;
    VG_(umsg)
    ("could not write '%s' any more: %s. The profile is in '%s'.\n", written->begin(), why,
     elsewhere.begin());
    *written = std::move(elsewhere);
    return written->begin();
  }
  VG_(umsg)
  ("could not write the profile, neither to '%s': %s; nor to a folder for temporary files, "
   "$TMPDIR or /tmp: %s. What was measured is lost.\n",
   written->begin(), why, why_elsewhere);
  return nullptr;
}

// To the path with `suffix` and the first number that no file has yet.
const char* write_numbered(const Options& options, const char* suffix, const char* reason) {
  const Vector<char> path = expand(options);
  char number[32];
  for (unsigned n = 1;; n++) {
    VG_(sprintf)(number, "%s%u", suffix, n);
    Vector<char> candidate = formatted("%s%s", path.begin(), number);
    if (!exists(candidate.begin()))
      return write_somewhere(std::move(candidate), options, reason);
  }
}

} // namespace

const char* write(const Options& options, const char* reason) {
  return write_somewhere(expand(options), options, reason);
}

void write_before_exec(const Options& options) {
  written_before_exec = write_numbered(options, ".exec", "exec") != nullptr;
}

const char* write_dump(const Options& options, const char* hint) {
  return write_numbered(options, ".dump",
                        formatted("dump%s%s", *hint == 0 ? "" : " ", hint).begin());
}

void forget_exec() {
  if (written_before_exec)
    VG_(unlink)(written->begin());
  written_before_exec = false;
}

} // namespace profile_writer
