#include "work_span/order/semaphores.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/order/semaphore_queue.hpp"
#include "work_span/state/state.hpp"

namespace semaphores {
namespace {

using shadow::HookedCall;

struct Semaphore {
  SemaphoreQueue queue;
  u64 opened = 0; // how often it was opened by name
};

Lazy<AddressMap<Semaphore*>> semaphores{"cilkshadow.semaphore"};

Semaphore& semaphore_at(GuestAddr address) {
  Semaphore*& known = semaphores->at(address);
  if (known == nullptr)
    known = create<Semaphore>("cilkshadow.semaphore");
  return *known;
}

// Arguments: (semaphore, shared, value)
void init(HookedCall& call) {
  semaphore_at(call.arguments[0]).queue.begin(shadow::paths(), static_cast<u32>(call.arguments[2]));
}

// Returns the semaphore, which begins with its value.
void open(HookedCall&) {
  const GuestAddr address = guest::result();
  if (address == 0)
    return;
  if (Semaphore& semaphore = semaphore_at(address); semaphore.opened++ == 0)
    semaphore.queue.begin(shadow::paths(), *reinterpret_cast<const u32*>(address));
}

// When it has been closed as often as opened, another one may take its place.
void close(HookedCall& call) {
  Semaphore** known = semaphores->find(call.arguments[0]);
  if (known != nullptr && (*known)->opened > 0)
    (*known)->opened--;
}

void post(HookedCall& call) { semaphore_at(call.arguments[0]).queue.post(shadow::publish()); }

void wait(HookedCall& call) {
  SemaphoreQueue& queue = semaphore_at(call.arguments[0]).queue;
  if (guest::result() != 0 || queue.empty())
    return;
  if (PathPoint by = queue.wait(); by.node != nullptr)
    shadow::observe(by);
}

} // namespace

const shadow::Hook hooks[] = {
    {"sem_init", init, nullptr},      {"sem_open", nullptr, open},
    {"sem_close", close, nullptr},    {"sem_post", post, nullptr},
    {"sem_wait", nullptr, wait},      {"sem_timedwait", nullptr, wait},
    {"sem_clockwait", nullptr, wait}, {"sem_trywait", nullptr, wait},
    {nullptr, nullptr, nullptr},
};

} // namespace semaphores
