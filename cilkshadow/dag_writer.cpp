#include "cilkshadow/dag_writer.hpp"

#include "trace/loops/loop.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/runtimes/work_counters.hpp"
#include "work_span/state/state.hpp"

#include <utility>

namespace cilkshadow::dag_writer {
namespace {

// Numbers strands, paths and locks as in the file, each in the order of its list.
class Writer {
public:
  Writer(TextFile& out, DagRecorder& dag, const Vector<u32>& calls, bool (*has_record)(u32 site))
      : out_(out), strands_(dag.strands()), paths_(dag.paths()), calls_(calls),
        has_record_(has_record) {}

  void put(Work grain) {
    number_strands();
    number_paths();
    number_locks();
    out_ << "dag " << grain << ' ' << static_cast<u64>(ordered_.size()) << '\n';
    for (const PathId path : used_paths_)
      put_path(path);
    for (const StrandId id : ordered_)
      put_strand(strands_[id]);
  }

private:
  // The strands before a strand get smaller numbers. Points that nobody has waited for have none.
  void number_strands() {
    number_of_.resize(strands_.end());
    Vector<StrandId> waiting("cilkshadow.writer");
    for (u32 i = 1; i < strands_.end(); i++) {
      if (const Strand& strand = strands_[StrandId{i}]; strand.is_used && !strand.is_meeting)
        waiting.push_back(StrandId{i});
      while (!waiting.empty()) {
        const StrandId id = waiting.back();
        const std::size_t now = waiting.size();
        if (number_of_[index(id)] == 0)
          strands_.for_each_before(strands_[id], [&](StrandId before) {
            if (number_of_[index(before)] == 0)
              waiting.push_back(before);
          });
        if (waiting.size() > now)
          continue;
        waiting.pop_back();
        if (number_of_[index(id)] == 0) {
          ordered_.push_back(id);
          number_of_[index(id)] = static_cast<u32>(ordered_.size());
        }
      }
    }
  }

  // Callers first: a path's number is greater than its caller's.
  void number_paths() {
    Vector<bool> used("cilkshadow.writer");
    used.resize(paths_.size());
    const auto use = [&](PathId path) {
      while (!std::exchange(used[index(path)], true))
        path = paths_.caller(path);
    };
    for (const StrandId id : ordered_) {
      strands_.for_each_part(strands_[id], [&](const StrandPart& part) { use(part.path); });
      use(strands_[id].share.path);
    }
    path_numbers_.resize(paths_.size());
    for (u32 i = 1; i < paths_.size(); i++)
      if (used[i]) {
        used_paths_.push_back(PathId{i});
        path_numbers_[i] = static_cast<u32>(used_paths_.size());
      }
  }

  // In the order of the profile's lock records; locks without a record follow.
  void number_locks() {
    locks::for_each_that_was_held([&](const locks::Lock& lock, u32 number) {
      records_ = number;
      if (lock.span.number != 0)
        lock_number(lock.span.number) = number;
    });
  }
  u32& lock_number(u32 lock) {
    if (lock >= lock_numbers_.size())
      lock_numbers_.resize(lock + 1);
    return lock_numbers_[lock];
  }
  u32 record_of_lock(u32 lock) {
    if (lock == 0)
      return 0;
    u32& number = lock_number(lock);
    if (number == 0)
      number = ++records_;
    return number;
  }

  void put_path(PathId path) {
    const SiteId id = paths_.site(path);
    const Loop* loop = has_record_(index(id)) ? shadow::sites()[id].loop : nullptr;
    out_ << (loop != nullptr ? "loop-path " : "path ") << path_numbers_[index(path)] << ' '
         << path_numbers_[index(paths_.caller(path))] << ' ';
    if (loop != nullptr)
      out_ << index(loop->id);
    else
      out_ << (index(id) < calls_.size() ? calls_[index(id)] : 0);
    out_.end_line();
  }

  void put_strand(const Strand& strand) {
    out_ << "strand " << strand.thread << ' ' << strand.span << ' '
         << record_of_lock(strand.acquires) << ' ' << record_of_lock(strand.releases);
    begin_list();
    strands_.for_each_before(strand, [&](StrandId before) { next() << number_of_[index(before)]; });
    begin_list();
    strands_.for_each_part(strand, [&](const StrandPart& part) {
      next() << path_numbers_[index(part.path)] << ':' << part.work;
      for (unsigned i = 0; i < part.overhead.kinds(); i++)
        out_ << ':' << part.overhead[i];
    });
    begin_list();
    strands_.for_each_lock(strand, [&](const LockUse& use) {
      next() << record_of_lock(use.lock) << ':' << use.sections;
      strands_.for_each_part(use, [&](const SectionPart& part) {
        out_ << ':' << path_numbers_[index(part.path)] << ':' << part.length;
      });
    });
    begin_list();
    if (const Share share = work_counters::judged(strand.share); share.division != 0) {
      next() << share.division << ':' << share.from << ':' << share.to << ':' << share.of << ':'
             << path_numbers_[index(share.path)] << ':' << share.iterations;
      if (share.is_in_chunks())
        out_ << ':' << static_cast<u32>(share.schedule) << ':' << share.chunk;
      if (share.others != 0)
        out_ << ':' << share.others;
    }
    end_list();
    out_.end_line();
  }

  // Elements are separated by commas; a hyphen stands for an empty list.
  void begin_list() {
    end_list();
    out_ << ' ';
    elements_ = 0;
  }
  TextFile& next() { return elements_++ == 0 ? out_ : out_ << ','; }
  void end_list() {
    if (elements_ == 0)
      out_ << '-';
    elements_ = 1; // no list is open
  }

  TextFile& out_;
  const Strands& strands_;
  const CallPaths& paths_;
  const Vector<u32>& calls_;
  bool (*const has_record_)(u32 site);
  Vector<StrandId> ordered_{"cilkshadow.writer"};
  Vector<u32> number_of_{"cilkshadow.writer"};
  Vector<PathId> used_paths_{"cilkshadow.writer"};
  Vector<u32> path_numbers_{"cilkshadow.writer"};
  Vector<u32> lock_numbers_{"cilkshadow.writer"};
  u32 records_ = 0;
  u32 elements_ = 1;
};

} // namespace

void put(TextFile& out, const Vector<u32>& calls, bool (*has_record)(u32 site)) {
  DagRecorder* dag = shadow::state->dag;
  if (dag == nullptr)
    return;
  dag->finish();
  work_counters::judge();
  if (dag->has_dag())
    Writer(out, *dag, calls, has_record).put(dag->grain());
}

} // namespace cilkshadow::dag_writer
