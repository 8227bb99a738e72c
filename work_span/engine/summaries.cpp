#include "work_span/engine/summaries.hpp"

#include "base/check.hpp"

Summaries::~Summaries() {
  for (Summary* summary : all_)
    destroy(summary);
}

Summary& Summaries::empty() {
  CHECK(!is_full());
  if (used_ == all_.size())
    all_.push_back(create<Summary>("cilkshadow.summaries"));
  Summary& empty = *all_[used_];
  CHECK(empty.uncounted == 0);
  empty.found = 0;
  empty.fits_when = 0;
  empty.words = 0;
  empty.sites.clear();
  empty.on_path.clear();
  empty.pending.clear();
  empty.key.clear();
  return empty;
}

const Summary* Summaries::keep(u64 hash) {
  std::size_t i = place(hash);
  while (by_hash_[i].summary != nullptr)
    i = (i + 1) % kPlaces;
  by_hash_[i] = {hash, all_[used_]};
  return all_[used_++];
}

void Summaries::forget() {
  used_ = 0;
  for (Place& place : by_hash_)
    place = {};
}
