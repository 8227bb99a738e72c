#include "work_span/log/known_invocations.hpp"

#include "base/check.hpp"

namespace shadow {

KnownInvocations::~KnownInvocations() {
  for (KnownInvocation* known : all_)
    destroy(known);
}

KnownInvocation& KnownInvocations::next() {
  CHECK(!is_full());
  if (used_ == all_.size())
    all_.push_back(create<KnownInvocation>("cilkshadow.summaries", static_cast<u32>(all_.size())));
  KnownInvocation& next = *all_[used_];
  CHECK(next.uncounted == 0);
  next.summary.clear();
  next.fits_at = 0;
  next.all_steps = 0;
  next.found = 0;
  next.pending.clear();
  next.steps.clear();
  return next;
}

const KnownInvocation* KnownInvocations::keep(u64 hash) {
  std::size_t i = slot_of(hash);
  while (slots_[i].known != nullptr)
    i = (i + 1) % kSlots;
  slots_[i] = {hash, all_[used_]};
  return all_[used_++];
}

void KnownInvocations::forget() {
  used_ = 0;
  for (Slot& slot : slots_)
    slot = {};
}

} // namespace shadow
