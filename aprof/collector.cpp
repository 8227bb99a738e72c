#include "aprof/collector.hpp"

#include "aprof/engine.hpp"
#include "aprof/helpers.hpp"
#include "aprof/options.hpp"
#include "base/valgrind.hpp"
#include "trace/call_events.hpp"
#include "trace/sink.hpp"

#include <new>

struct sink::LogicalThread : ::LogicalThread {};

namespace collector {
namespace {

Profile* the_profile;
ProfileOptions* profile_options;
const Vector<const char*>* toggles;
Vector<u8>* toggle_of_routine; // by RoutineId; 0: not matched yet, 1: no, 2: yes

bool toggles_collection(RoutineId routine) {
  Vector<u8>& known = *toggle_of_routine;
  if (index(routine) >= known.size())
    known.resize(index(routine) + 1);
  u8& answer = known[index(routine)];
  if (answer == 0) {
    answer = 1;
    for (const char* pattern : *toggles)
      if (VG_(string_match)(pattern, (*routines)[routine].name))
        answer = 2;
  }
  return answer == 2;
}

} // namespace

Costs counters{};

void start(const Options& options) {
  profile_options = create<ProfileOptions>("aprof.options", options.for_profile());
  the_profile = create<Profile>("aprof.profile", *profile_options);
  toggles = &options.toggle_collect;
  toggle_of_routine = create<Vector<u8>>("aprof.toggles", "aprof.toggles");
  EngineOptions engine_options;
  engine_options.cell_shift = options.cell_shift();
  engine_options.counter_limit = options.counter_limit;
  engine_options.clock = &counters;
  engine_options.check = options.sanity;
  new (engine_storage) Engine(engine_options, *the_profile);
}

Profile& profile() { return *the_profile; }

void restart_in_child() {
  engine().drop_pending();
  the_profile->clear();
}

} // namespace collector

sink::LogicalThread* sink::start_thread(ThreadIndex thread) {
  return static_cast<LogicalThread*>(&engine().start_thread(thread));
}

void sink::end_thread(LogicalThread* thread) { engine().end_thread(*thread); }
void sink::switch_thread(LogicalThread* to) { engine().switch_thread(*to); }

void sink::call(RoutineId routine) {
  ::LogicalThread& thread = *engine().current();
  if (collector::toggles->empty()) {
    engine().call(&collector::the_profile->record(thread.thread, routine));
    return;
  }
  const bool opens = collector::toggles_collection(routine);
  thread.collecting += opens;
  engine().call(thread.collecting > 0 ? &collector::the_profile->record(thread.thread, routine)
                                      : nullptr);
  thread.stack.top().opens_collection = opens;
}

void sink::return_() {
  ::LogicalThread& thread = *engine().current();
  thread.collecting -= thread.stack.top().opens_collection;
  engine().return_from_top();
}

void sink::suspend() { engine().suspend(); }
void sink::resume() { engine().resume(); }

void sink::kernel_read(GuestAddr address, std::size_t bytes) {
  engine().kernel_read(address, bytes);
}
void sink::kernel_write(GuestAddr address, std::size_t bytes) {
  engine().kernel_write(address, bytes);
}
void sink::map_external(GuestAddr address, std::size_t bytes) {
  engine().map_external(address, bytes);
}
void sink::forget(GuestAddr address, std::size_t bytes) { engine().forget(address, bytes); }
void sink::move(GuestAddr from, GuestAddr to, std::size_t bytes) { engine().move(from, to, bytes); }
