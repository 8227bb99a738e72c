// Calling contexts: with --contexts=yes, activations are recorded by the path of routines from the
// root of their stack, not by routine alone.
//
// The contexts of a thread form a calling context tree (Ammons, Ball, Larus, PLDI 1997). A routine
// that is already on the path continues its context there, so that no path contains a routine
// twice, and recursion, however deep or mutual, adds no contexts. Beyond a maximum number of
// contexts, a call that has no context yet enters a merged context of its routine and thread, and
// so does everything called from there.
//
// Owns the contexts, which live until clear(). Invariant: a context comes after its parent. Cost of
// a call: a comparison if the caller's context recently called the same routine, otherwise one hash
// probe; only the first call of its kind walks up the path.
#pragma once

#include "aprof/profile/routine_record.hpp"
#include "base/address_map.hpp"
#include "base/vector.hpp"

struct Context : RoutineRecord {
  Context(ThreadIndex of, Context* called_by, u32 its_number, RoutineId its_routine,
          const ProfileOptions& options)
      : RoutineRecord(its_routine, options), thread(of), parent(called_by), number(its_number) {}

  ThreadIndex thread;
  Context* parent; // null: represents a thread, and is no context itself
  u32 number;      // in order of creation, including those that represent threads
  u32 place = 0;   // in ContextTree::all()
  bool merged = false;
  // The contexts that calls from here recently led to, by routine.
  static constexpr std::size_t kRecent = 4;
  Context* recent[kRecent]{};

  bool is_root() const { return parent->parent == nullptr; }
};

class ContextTree {
public:
  explicit ContextTree(const ProfileOptions& options) : options_(options) {}
  ~ContextTree() { clear(); }
  ContextTree(const ContextTree&) = delete;
  ContextTree& operator=(const ContextTree&) = delete;

  // The context of a routine that is called by an activation in `caller`, or by no recorded
  // activation (null). Created on first use.
  Context& called(ThreadIndex thread, Context* caller, RoutineId routine) {
    Context& from = caller == nullptr ? *tops_of(thread).ordinary : *caller;
    Context*& recent = from.recent[index(routine) % Context::kRecent];
    if (recent == nullptr || recent->routine != routine)
      recent = &find_or_add(from, routine);
    return *recent;
  }

  const Vector<Context*>& all() const { return contexts_; } // parents first
  // The same, by thread and then routine.
  Vector<const Context*> by_routine() const;
  u64 merged_calls() const;
  void clear();

private:
  // The roots of a thread's ordinary contexts and of its merged ones.
  struct Tops {
    Context* ordinary = nullptr;
    Context* merged = nullptr;
  };

  Tops& tops_of(ThreadIndex thread) {
    if (index(thread) >= tops_.size() || tops_[index(thread)].ordinary == nullptr)
      add_tops(thread);
    return tops_[index(thread)];
  }
  void add_tops(ThreadIndex thread);
  Context& find_or_add(Context& from, RoutineId routine);
  Context& resolve(Context& from, RoutineId routine);
  Context& add(Context& parent, RoutineId routine, bool merged);

  const ProfileOptions& options_;
  Vector<Tops> tops_{"aprof.contexts"};
  Vector<Context*> contexts_{"aprof.contexts"};
  AddressMap<Context*> callees_{"aprof.contexts.callees"}; // by the caller's number and routine
  AddressMap<Context*> first_of_{"aprof.contexts.first"};  // by thread and routine
  u32 numbers_ = 0;
};
