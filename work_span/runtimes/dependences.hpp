// Dependences: the order that depend clauses impose on sibling tasks.
//
// The accesses to an address form generations: each write is one; successive reads together are
// one, and so are the members of a set. A task begins after the end of the generation before its
// own; earlier generations need not be stored. An access costs O(1).
#pragma once

#include "base/address_map.hpp"
#include "base/vector.hpp"
#include "work_span/engine/work_span.hpp"

namespace locks {
struct Lock;
}

enum class Access : u8 {
  read,
  write,
  exclusive, // mutexinoutset: no order, but as if each task held a lock
  set,       // inoutset
};

// The end of a generation: the latest end of the tasks in it.
struct Ending {
  PathPoint point;
  u32 references = 0;
  locks::Lock* lock = nullptr; // if the tasks exclude each other
  SpanLock exclusion{};
};

// A list of endings, with a reference to each.
class Endings {
public:
  Endings() = default;
  Endings(const Endings&) = delete;
  Endings& operator=(Endings&&) = default;
  ~Endings() { clear(); }

  void add(Ending* ending);
  void clear();
  bool empty() const { return all_.empty(); }
  Ending* const* begin() const { return all_.begin(); }
  Ending* const* end() const { return all_.end(); }

private:
  Vector<Ending*> all_{"cilkshadow.dependences"};
};

// The accesses of one task's children.
class Dependences {
public:
  Dependences() = default;
  Dependences(const Dependences&) = delete;
  Dependences& operator=(const Dependences&) = delete;
  ~Dependences();

  // Enters a child's access to `address`. The child comes after what is added to `after`; its own
  // end is to be added to all in `ends`.
  void enter(GuestAddr address, Access access, Endings& after, Endings& ends);

private:
  struct Accessed {
    Access access; // of the last generation
    Ending* before;
    Ending* last;
  };
  Vector<Accessed> accessed_{"cilkshadow.dependences"};
  AddressMap<u32> by_address_{"cilkshadow.dependences"}; // index in accessed_
};
