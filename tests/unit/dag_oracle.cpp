#include "dag_oracle.hpp"

#include <algorithm>

int DagOracle::strand(int thread, std::vector<In> in) {
  Thread& t = threads_[thread];
  strands_.push_back({t.pending.empty() ? -1 : t.pending.back(), 0, std::move(in)});
  t.strand = static_cast<int>(strands_.size()) - 1;
  t.strands.push_back(t.strand);
  return t.strand;
}

int DagOracle::start_thread(int creator) {
  std::vector<In> in;
  int created_in = -1;
  if (creator >= 0) {
    in.push_back({publish(creator), Edge::order});
    const Thread& t = threads_[creator];
    created_in = t.pending.empty() ? t.created_in : t.pending.back();
  }
  threads_.push_back({});
  const int thread = static_cast<int>(threads_.size()) - 1;
  threads_[thread].created_in = created_in;
  threads_[thread].children.push_back({{}});
  strand(thread, in);
  return thread;
}

void DagOracle::end_thread(int thread) {
  while (!threads_[thread].pending.empty())
    return_from_top(thread);
}

void DagOracle::join_thread(int by, int ended) {
  Thread& t = threads_[by];
  if (!t.pending.empty())
    invocations_[t.pending.back()].joined += work_of(ended);
  t.joined += work_of(ended);
  strand(by, {{t.strand, Edge::serial}, {threads_[ended].strand, Edge::order}});
}

void DagOracle::work(int thread, std::uint64_t amount) {
  strands_[threads_[thread].strand].weight += amount;
}

void DagOracle::call(int thread, int site, int routine) {
  Thread& t = threads_[thread];
  const int before = t.strand;
  const int parent = t.pending.empty() ? t.created_in : t.pending.back();
  invocations_.push_back({site, routine, parent, !t.pending.empty(), 0});
  t.pending.push_back(static_cast<int>(invocations_.size()) - 1);
  t.children.push_back({{}});
  invocations_.back().entry = strand(thread, {{before, Edge::serial}});
}

void DagOracle::return_from_top(int thread) {
  Thread& t = threads_[thread];
  while (!t.spawns.empty() && t.spawns.back().depth == t.pending.size()) {
    if (t.spawns.back().end < 0)
      end_spawn(thread);
    keep_spawn(thread);
  }
  while (t.children.back().size() > 1)
    end_scope(thread);
  sync(thread);
  invocations_[t.pending.back()].exit = t.strand;
  t.pending.pop_back();
  t.children.pop_back();
  strand(thread, {{t.strand, Edge::serial}});
}

void DagOracle::begin_spawn(int thread) { begin_spawn(thread, Edge::fork); }
void DagOracle::begin_iteration(int thread) { begin_spawn(thread, Edge::serial); }

void DagOracle::begin_spawn(int thread, Edge edge) {
  Thread& t = threads_[thread];
  const int fork = t.strand;
  const int first = strand(thread, {{fork, edge}});
  threads_[thread].spawns.push_back(
      {t.pending.size(), fork, edge, first, t.children.back().back().size()});
}

void DagOracle::wait_in_child(int thread) { wait(thread, threads_[thread].spawns.back().children); }

void DagOracle::end_spawn(int thread) {
  wait_in_child(thread);
  Thread::Spawn& spawn = threads_[thread].spawns.back();
  spawn.end = threads_[thread].strand;
  spawn.continuation = strand(thread, {{spawn.fork, spawn.edge}});
}

void DagOracle::keep_spawn(int thread) {
  Thread& t = threads_[thread];
  t.children.back().back().push_back(t.spawns.back().end);
  t.spawns.pop_back();
}

// The strands after the spawn follow those of the child.
void DagOracle::undo_spawn(int thread) {
  const Thread::Spawn spawn = threads_[thread].spawns.back();
  threads_[thread].spawns.pop_back();
  strands_[spawn.first].in.front().kind = Edge::serial;
  strands_[spawn.continuation].in.front() = {spawn.end, Edge::serial};
}

void DagOracle::undo_outer_spawn(int thread) {
  std::vector<Thread::Spawn>& spawns = threads_[thread].spawns;
  const auto outer = spawns.end() - 2;
  strands_[outer->first].in.front().kind = Edge::serial;
  spawns.erase(outer);
}

void DagOracle::begin_scope(int thread) { threads_[thread].children.back().push_back({}); }

void DagOracle::end_scope(int thread) {
  sync(thread);
  threads_[thread].children.back().pop_back();
}

void DagOracle::sync(int thread) { wait(thread, 0); }

void DagOracle::wait(int thread, std::size_t first) {
  Thread& t = threads_[thread];
  std::vector<int>& children = t.children.back().back();
  std::vector<In> in{{t.strand, Edge::serial}};
  for (std::size_t i = first; i < children.size(); i++)
    in.push_back({children[i], Edge::child});
  children.resize(first);
  strand(thread, in);
}

int DagOracle::publish(int thread) {
  const int point = threads_[thread].strand;
  strand(thread, {{point, Edge::serial}});
  return point;
}

void DagOracle::observe(int thread, int point) {
  strand(thread, {{threads_[thread].strand, Edge::serial}, {point, Edge::order}});
}

void DagOracle::acquire(int thread, int lock, bool shared) {
  std::vector<In> in{{threads_[thread].strand, Edge::serial}};
  for (int point : locks_[lock].released)
    in.push_back({point, Edge::lock});
  if (!shared)
    for (int point : locks_[lock].released_shared)
      in.push_back({point, Edge::lock});
  strand(thread, in);
}

void DagOracle::release(int thread, int lock, bool shared) {
  (shared ? locks_[lock].released_shared : locks_[lock].released).push_back(publish(thread));
}

std::uint64_t DagOracle::work_of(int thread) const {
  std::uint64_t sum = threads_[thread].joined;
  for (int s : threads_[thread].strands)
    sum += strands_[s].weight;
  return sum;
}

// The longest distance from the program's start to the end of each strand. Strands are ordered:
// preceding ones have lower numbers.
std::vector<std::uint64_t> DagOracle::distances(bool locks, std::uint64_t burden) const {
  std::vector<std::uint64_t> until;
  for (const Strand& strand : strands_) {
    std::uint64_t before = 0;
    for (const In& in : strand.in)
      if (in.kind != Edge::lock || locks)
        before = std::max(before, until[in.from] + (in.kind == Edge::fork ? burden : 0));
    until.push_back(before + strand.weight);
  }
  return until;
}

// The predecessor of `strand` on the longest path; the serial one if there are several. Considers
// only its own thread unless `any`.
int DagOracle::longest(const Strand& strand, const std::vector<std::uint64_t>& until,
                       bool any) const {
  int best = strand.in.front().from;
  for (const In& in : strand.in)
    if (in.kind == Edge::child || (in.kind == Edge::order && any))
      if (until[in.from] > until[best])
        best = in.from;
  return best;
}

void DagOracle::solve(std::uint64_t burden) {
  const auto until = distances(false, 0);
  span = *std::max_element(until.begin(), until.end());
  const auto with_burden = distances(false, burden);
  burdened = *std::max_element(with_burden.begin(), with_burden.end());
  const auto with_locks = distances(true, 0);
  serialised = *std::max_element(with_locks.begin(), with_locks.end());
  for (const Strand& strand : strands_)
    total_work += strand.weight;

  std::vector<bool> critical(strands_.size());
  int at = -1;
  for (const Thread& thread : threads_)
    if (at < 0 || until[thread.strand] > until[at])
      at = thread.strand;
  for (;; at = longest(strands_[at], until, true)) {
    critical[at] = true;
    const int invocation = strands_[at].invocation;
    if (invocation >= 0 && strands_[at].weight > 0)
      on_span[invocations_[invocation].site].local.span += strands_[at].weight;
    if (strands_[at].in.empty())
      break;
  }

  std::vector<std::uint64_t> own(invocations_.size()), work(invocations_.size());
  for (const Strand& strand : strands_)
    if (strand.invocation >= 0)
      own[strand.invocation] += strand.weight;
  for (std::size_t i = invocations_.size(); i-- > 0;) { // callees have higher numbers
    const Invocation& me = invocations_[i];
    work[i] += own[i] + me.joined;
    if (me.is_call)
      work[me.parent] += work[i];
  }

  for (std::size_t i = 0; i < invocations_.size(); i++) {
    const Invocation& me = invocations_[i];
    bool top_site = true, top_caller = true;
    for (int up = me.parent; up >= 0; up = invocations_[up].parent)
      top_site = top_site && invocations_[up].site != me.site;
    if (me.is_call)
      for (int up = invocations_[me.parent].parent; up >= 0; up = invocations_[up].parent)
        top_caller = top_caller && invocations_[up].routine != invocations_[me.parent].routine;
    const Strand& entry = strands_[me.entry];
    const std::uint64_t its_span = until[me.exit] - (until[me.entry] - entry.weight);
    std::uint64_t local_span = 0;
    for (int s = me.exit;; s = longest(strands_[s], until, false)) {
      if (strands_[s].invocation == static_cast<int>(i))
        local_span += strands_[s].weight;
      if (s == me.entry)
        break;
    }
    auto add = [&](Site& site) {
      site.local.count++;
      site.local.work += own[i];
      for (auto [counts, sums] :
           {std::pair{top_site, &site.top_site}, {top_caller, &site.top_caller}})
        if (counts) {
          sums->count++;
          sums->work += work[i];
          sums->span += its_span;
        }
    };
    add(on_work[me.site]);
    on_work[me.site].local.span += local_span;
    if (top_site)
      on_work[me.site].burdened += with_burden[me.exit] - (with_burden[me.entry] - entry.weight);
    if (critical[me.exit])
      add(on_span[me.site]);
  }
}
