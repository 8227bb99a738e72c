// Measures what the work-span engine costs as a program grows (Cilkprof paper, Theorems 5 and 6):
// O(1) per event for any depth of the stack and number of call sites, and O(depth x sites) memory.
//
//   make bench/work-span-growth && bench/work-span-growth
//
// The program is a chain of calls, each of which has spawned a child that it has not waited for,
// and balanced spawn trees on top of it: each call works, spawns one child, calls another, and
// syncs. Depth, call sites and work grow one at a time. Times in ns are the best of three runs.
#include "work_span/engine/work_span_fast.hpp"

#include <chrono>
#include <cstdio>

namespace {

struct Shape {
  u32 depth; // of the stack, without the 10 levels of the trees
  u32 sites;
  u64 events;
};

struct Cost {
  double ns_per_event;
  double megabytes;
};

class Program {
public:
  explicit Program(const Shape& shape) : shape_(shape) {}

  Cost run() {
    const auto begin = std::chrono::steady_clock::now();
    for (u32 level = 0; level < shape_.depth; level++) {
      call();
      engine_.begin_spawn(*thread_);
      instance(0);
      engine_.end_spawn(*thread_);
      engine_.keep_spawn(*thread_);
      events_ += 2;
    }
    while (events_ < shape_.events)
      instance(10);
    engine_.finish();
    const std::chrono::duration<double, std::nano> ns = std::chrono::steady_clock::now() - begin;
    return {ns.count() / static_cast<double>(events_), static_cast<double>(engine_.bytes()) / 1e6};
  }

private:
  void call() {
    site_ = (site_ * 5 + 3) % shape_.sites; // in an irregular order
    engine_.call(*thread_, SiteId{site_}, RoutineId{site_ % 16 + 1});
    events_++;
  }

  void instance(u32 levels) {
    call();
    engine_.work(*thread_, levels);
    if (levels > 0) {
      engine_.begin_spawn(*thread_);
      instance(levels - 1);
      engine_.end_spawn(*thread_);
      engine_.keep_spawn(*thread_);
      instance(levels - 1);
      engine_.sync(*thread_);
      events_ += 4;
    }
    engine_.return_from_top(*thread_);
    events_++;
  }

  Shape shape_;
  WorkSpan engine_{{}};
  SpanThread* thread_ = engine_.start_thread(nullptr);
  u32 site_ = 0;
  u64 events_ = 0;
};

void measure(const Shape& shape) {
  Cost best{1e9, 0};
  for (int i = 0; i < 3; i++) {
    const Cost cost = Program(shape).run();
    if (cost.ns_per_event < best.ns_per_event)
      best = cost;
  }
  std::printf("%8u %8u %12llu %10.1f %10.1f\n", shape.depth, shape.sites,
              static_cast<unsigned long long>(shape.events), best.ns_per_event, best.megabytes);
}

} // namespace

int main() {
  std::printf("%8s %8s %12s %10s %10s\n", "depth", "sites", "events", "ns/event", "MB");
  for (u32 depth = 50; depth <= 51200; depth *= 4)
    measure({depth, 256, 4'000'000});
  for (u32 sites = 16; sites <= 16384; sites *= 4)
    measure({50, sites, 4'000'000});
  for (u64 events = 1'000'000; events <= 64'000'000; events *= 4)
    measure({50, 256, events});
}
