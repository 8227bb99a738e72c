// Calling contexts: with --contexts=yes an activation is recorded by the path of routines from its
// stack's root to it, not by its routine alone.
//
// The contexts of a thread form a calling context tree (Ammons, Ball, Larus, PLDI 1997). A routine
// that is on the path already continues its context there, so that no path has a routine twice and
// recursion, however deep or mutual, adds nothing. Beyond a number of contexts, calls to where no
// context is enter a merged one of their routine and thread, and so does all that is called there.
//
// Owns the contexts; they live until clear(). Invariant: a context comes after its parent. Cost of
// a call: a comparison if the caller's context called the routine lately, otherwise one hash probe;
// only the first of its kind walks up the path.
#pragma once

#include "aprof/profile/routine_record.hpp"
#include "base/address_map.hpp"
#include "base/vector.hpp"

struct Context : RoutineRecord {
  Context(ThreadIndex of, Context* called_by, u32 its_number, RoutineId its_routine,
          const ProfileOptions& options)
      : RoutineRecord(its_routine, options), thread(of), parent(called_by), number(its_number) {}

  ThreadIndex thread;
  Context* parent; // null: stands for a thread, and is no context itself
  u32 number;      // in order of creation, of those that stand for threads, too
  u32 place = 0;   // in ContextTree::all()
  bool merged = false;
  // Contexts that calls from here led to lately, by routine.
  static constexpr std::size_t kLately = 4;
  Context* lately[kLately]{};

  bool is_root() const { return parent->parent == nullptr; }
};

class ContextTree {
public:
  explicit ContextTree(const ProfileOptions& options) : options_(options) {}
  ~ContextTree() { clear(); }
  ContextTree(const ContextTree&) = delete;
  ContextTree& operator=(const ContextTree&) = delete;

  // The context of a routine that is called by an activation in `caller`, or by none that is
  // recorded (null); made on first use.
  Context& called(ThreadIndex thread, Context* caller, RoutineId routine) {
    Context& from = caller == nullptr ? *tops_of(thread).ordinary : *caller;
    Context*& lately = from.lately[index(routine) % Context::kLately];
    if (lately == nullptr || lately->routine != routine)
      lately = &find_or_add(from, routine);
    return *lately;
  }

  const Vector<Context*>& all() const { return contexts_; } // parents first
  // The same by thread, then routine.
  Vector<const Context*> by_routine() const;
  u64 merged_calls() const;
  void clear();

private:
  // Above a thread's contexts, and above those that are merged.
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
