#include "work_span/code/wait_code.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "trace/loops/decoder.hpp"
#include "work_span/code/stub_target.hpp"
#include "work_span/runtimes/routine_class_table.hpp"

#include <algorithm>

namespace wait_code {
namespace {

constexpr std::size_t kMostKnown = 10'000; // chains of callers

bool is_wait(const char* name) {
  return matches(name, {"pthread_cond_*wait*", "cnd_*wait*", "std::*condition_variable::wait*",
                        "_ZNSt*18condition_variable*wait*"});
}
bool is_about_locks(const char* name) {
  return matches(name, {"*pthread_mutex_*", "*pthread_rwlock_*", "*pthread_spin_*", "mtx_*"});
}
// Other routines and their callees have no part in what the program waits for.
bool is_searched(RoutineClass c) {
  return c == RoutineClass::program || c == RoutineClass::cleanup || c == RoutineClass::templates;
}

class Search {
public:
  explicit Search(Vector<GuestAddr>& found) : found_(found) {}

  // What may happen from an address to the end of its routine.
  struct Ahead {
    bool waits = false;
    bool returns = false; // with the lock held
  };
  Ahead from(GuestAddr address, unsigned depth = 0) {
    if (RoutineTable::is_nameless(address) || !is_searched(class_of(address)))
      return {.returns = depth > 0};
    const GuestAddr symbol = RoutineTable::symbol_start(address);
    Ahead ahead;
    Vector<GuestAddr> seen("cilkshadow.waits");
    Vector<GuestAddr> next("cilkshadow.waits");
    const auto go_on = [&](GuestAddr to) {
      if (std::find(seen.begin(), seen.end(), to) != seen.end())
        return;
      seen.push_back(to);
      next.push_back(to);
    };
    for (go_on(address); !next.empty() && blocks_ < kMostBlocks; blocks_++) {
      const GuestAddr block = next.back();
      next.pop_back();
      for (const GuestAddr to : behind(block, symbol, depth, ahead))
        go_on(to);
    }
    return ahead;
  }

private:
  static constexpr unsigned kMostDepth = 6; // as deep as std::unique_lock when not optimised
  static constexpr unsigned kMostBlocks = 500;

  static RoutineClass class_of(GuestAddr address) {
    return routine_classes->of(routines->containing(address));
  }

  // Where control goes from a block of the symbol with the lock held.
  Vector<GuestAddr> behind(GuestAddr address, GuestAddr symbol, unsigned depth, Ahead& ahead) {
    Vector<GuestAddr> to("cilkshadow.waits");
    const DecodedBlock& block = decode_block(address);
    const GuestAddr next = block.next;
    const GuestAddr last = block.instructions.empty() ? address : block.instructions.back().address;
    if (block.end == BlockEnd::jump && block.targets.empty())
      ahead.returns = true;
    if (block.end == BlockEnd::call) {
      const Ahead callee =
          block.callee != 0 ? called(block.callee, depth) : called(target_of_call(last), depth);
      if (callee.waits && depth == 0)
        found_.push_back(next);
      ahead.waits |= callee.waits;
      if (callee.returns &&
          RoutineTable::symbol_start(next) == symbol) // otherwise it never returns
        to.push_back(next);
      return to;
    }
    Vector<GuestAddr> tail_calls("cilkshadow.waits");
    for (const GuestAddr target : block.targets)
      (RoutineTable::symbol_start(target) == symbol ? to : tail_calls).push_back(target);
    for (const GuestAddr target : tail_calls) {
      const Ahead callee = called(target, depth);
      ahead.waits |= callee.waits;
      ahead.returns |= callee.returns;
    }
    return to;
  }

  // What may happen in a routine that is called, through a stub or directly.
  Ahead called(GuestAddr target, unsigned depth) {
    const bool is_stub = RoutineTable::linkage(target) == RoutineTable::Linkage::stub;
    return called(is_stub ? target_of_stub(target) : StubTarget{.address = target}, depth);
  }
  Ahead called(StubTarget to, unsigned depth) {
    const char* name = to.symbol;
    if (to.address != 0 && !RoutineTable::is_nameless(to.address))
      name = (*routines)[routines->containing(to.address)].name;
    if (name == nullptr)
      return {.returns = true};
    if (is_wait(name))
      return {.waits = true};
    if (is_about_locks(name))
      return {};
    return to.address != 0 && depth < kMostDepth ? from(to.address, depth + 1)
                                                 : Ahead{.returns = true};
  }

  Vector<GuestAddr>& found_;
  unsigned blocks_ = 0;
};

u64 hash_of(const Vector<GuestAddr>& addresses) {
  u64 hash = 0;
  for (const GuestAddr address : addresses)
    hash = (hash ^ address) * 0x9E3779B97F4A7C15u;
  return hash;
}

} // namespace

const Vector<GuestAddr>& waits_ahead(const Vector<GuestAddr>& returns) {
  static Lazy<AddressMap<Vector<GuestAddr>*>> known{"cilkshadow.waits"}; // by hash
  static Lazy<Vector<GuestAddr>> none{"cilkshadow.waits"};
  const u64 hash = hash_of(returns);
  if (Vector<GuestAddr>** found = known->find(hash))
    return **found;
  if (known->size() == kMostKnown)
    return *none;
  auto* const found = create<Vector<GuestAddr>>("cilkshadow.waits", "cilkshadow.waits");
  Search search(*found);
  for (const GuestAddr address : returns)
    if (!search.from(address).returns)
      break;
  return *known->insert(hash, found);
}

} // namespace wait_code
