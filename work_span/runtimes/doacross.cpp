#include "work_span/runtimes/doacross.hpp"

#include "work_span/runtimes/tasks.hpp"
#include "work_span/runtimes/teams.hpp"

#include <utility>

namespace doacross {

u64 Posts::key(const Loop& loop, const u64* iteration) {
  u64 key = 0;
  for (std::size_t i = 0; i < loop.dimensions; i++) {
    key = (key ^ iteration[i]) * 0x9E3779B97F4A7C15u;
    key ^= key >> 32;
  }
  return key;
}

// A thread that counts for another region than its own may be in a loop that its team has left.
Posts::OfLoop* Posts::of(const Loop& loop) {
  return loop.met == 0 || loop.met > loops_.size() ? nullptr : loops_[loop.met - 1];
}

void Posts::add(const Loop& loop, const u64* iteration, PathPoint point) {
  while (loops_.size() < loop.met)
    loops_.push_back(create<OfLoop>("cilkshadow.doacross"));
  OfLoop* to = of(loop);
  if (to == nullptr)
    return shadow::paths().drop(point);
  const u64 number = key(loop, iteration);
  if (const u32* known = to->by_iteration.find(number)) {
    shadow::paths().gather(to->points[*known], point);
    return;
  }
  to->by_iteration.insert(number, static_cast<u32>(to->points.size()));
  to->points.push_back(point);
}

const PathPoint* Posts::find(const Loop& loop, const u64* iteration) {
  OfLoop* in = of(loop);
  const u32* known = in == nullptr ? nullptr : in->by_iteration.find(key(loop, iteration));
  return known == nullptr ? nullptr : &in->points[*known];
}

void Posts::forget_until(std::size_t met) {
  for (; forgotten_ < met && forgotten_ < loops_.size(); forgotten_++) {
    OfLoop* left = std::exchange(loops_[forgotten_], nullptr);
    for (PathPoint& point : left->points)
      shadow::paths().drop(point);
    destroy(left);
  }
}

namespace {

tasks::Task& task() { return tasks::current(*shadow::running()); }

} // namespace

void begin_loop(std::size_t dimensions) {
  Loop& loop = task().doacross;
  loop = {loop.met + 1, dimensions};
}

void post(const u64* iteration) {
  if (teams::Team* team = task().team)
    team->posts.add(task().doacross, iteration, shadow::publish());
}

void wait(const u64* iteration) {
  teams::Team* team = task().team;
  if (team == nullptr)
    return;
  if (const PathPoint* posted = team->posts.find(task().doacross, iteration))
    shadow::observe_copy(*posted);
}

} // namespace doacross
