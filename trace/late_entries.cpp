#include "trace/late_entries.hpp"

#include "base/address_map.hpp"
#include "base/vector.hpp"
#include "trace/loops/loop_table.hpp"
#include "trace/stale_code.hpp"

namespace late_entries {
namespace {

struct Jump {
  GuestAddr block;
  u32 next; // number + 1 of the next jump to the same target; 0: none
};

struct State {
  AddressMap<u32> by_target{"trace.jumps"}; // number + 1 of the first Jump; 0: none
  Vector<Jump> jumps{"trace.jumps"};
};
State* state;

} // namespace

void jump_judged(GuestAddr target, GuestAddr block) {
  if (state == nullptr)
    state = create<State>("trace.jumps");
  u32* first = state->by_target.find(target);
  if (first == nullptr)
    first = &state->by_target.insert(target, 0);
  state->jumps.push_back({block, *first});
  *first = static_cast<u32>(state->jumps.size());
}

void found(GuestAddr target) {
  if (loops != nullptr)
    loops->entry_found(target);
  u32* first = state == nullptr ? nullptr : state->by_target.find(target);
  if (first == nullptr)
    return;
  for (u32 number = *first; number != 0; number = state->jumps[number - 1].next)
    stale_code::add(state->jumps[number - 1].block);
  *first = 0;
}

} // namespace late_entries
