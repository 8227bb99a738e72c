// Doacross loops of OpenMP, whose iterations wait for others by number: ordered(n), depend(sink).
//
// Each thread of a team meets the team's loops in the same order. A team owns what the iterations
// of its loops have posted, until all of its threads have passed a barrier after the loop. Each
// event costs O(1).
#pragma once

#include "base/address_map.hpp"
#include "base/vector.hpp"
#include "work_span/engine/path.hpp"

namespace doacross {

// A loop that a task has met.
struct Loop {
  std::size_t met = 0; // number of loops so far, including this one
  std::size_t dimensions = 0;
};

// What was posted in a team's loops.
class Posts {
public:
  Posts() = default;
  Posts(Posts&&) = default;
  ~Posts() { forget_until(loops_.size()); }

  // Takes a point of that iteration of the loop, unless the loop is forgotten.
  void add(const Loop& loop, const u64* iteration, PathPoint point);
  // Null if the iteration has not posted, because it does not exist, or if the loop is forgotten.
  const PathPoint* find(const Loop& loop, const u64* iteration);
  void forget_until(std::size_t met);

private:
  struct OfLoop {
    AddressMap<u32> by_iteration{"cilkshadow.doacross"}; // index in points
    Vector<PathPoint> points{"cilkshadow.doacross"};
  };
  OfLoop* of(const Loop& loop); // null: none, or forgotten
  static u64 key(const Loop& loop, const u64* iteration);

  Vector<OfLoop*> loops_{"cilkshadow.doacross"}; // null: forgotten
  std::size_t forgotten_ = 0;                    // at least so many of the first
};

// Events of the running thread. It meets a loop; its iteration posts, or comes after another one.
void begin_loop(std::size_t dimensions);
void post(const u64* iteration);
void wait(const u64* iteration);

} // namespace doacross
