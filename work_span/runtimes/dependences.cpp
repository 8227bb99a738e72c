#include "work_span/runtimes/dependences.hpp"

#include "work_span/order/locks.hpp"
#include "work_span/state/state.hpp"

namespace {

Ending* add_reference(Ending* ending) {
  ending->references++;
  return ending;
}

void drop_reference(Ending* ending) {
  if (ending == nullptr || --ending->references > 0)
    return;
  shadow::engine().paths().drop(ending->point);
  destroy(ending);
}

} // namespace

void Endings::add(Ending* ending) { all_.push_back(add_reference(ending)); }

void Endings::clear() {
  for (Ending* ending : all_)
    drop_reference(ending);
  all_.clear();
}

Dependences::~Dependences() {
  for (const Accessed& accessed : accessed_) {
    drop_reference(accessed.before);
    drop_reference(accessed.last);
  }
}

void Dependences::enter(GuestAddr address, Access access, Endings& after, Endings& ends) {
  const u32* known = by_address_.find(address);
  if (known == nullptr) {
    known = &by_address_.insert(address, static_cast<u32>(accessed_.size()));
    accessed_.push_back({access, nullptr, nullptr});
  }
  Accessed& accessed = accessed_[*known];
  if (accessed.last == nullptr || accessed.access != access || access == Access::write) {
    drop_reference(accessed.before);
    accessed.access = access;
    accessed.before = accessed.last;
    accessed.last = add_reference(create<Ending>("cilkshadow.dependences"));
    if (access == Access::exclusive)
      accessed.last->lock = &locks::of_tasks(address);
  }
  if (accessed.before != nullptr)
    after.add(accessed.before);
  ends.add(accessed.last);
}
