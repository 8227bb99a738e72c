#include "work_span/runtimes/routine_class_table.hpp"

#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "work_span/runtimes/hooks.hpp"
#include "work_span/runtimes/onetbb.hpp"
#include "work_span/runtimes/overhead_kinds.hpp"

namespace {

bool is_runtime_library(const char* object) {
  return matches(object, {"libgomp.so*", "libomp.so*", "libomp-*.so*", "libomp5.so*",
                          "libiomp5.so*", "libpthread*.so*", "ld-linux*", "ld-*.so*"});
}

// libgomp may be linked statically.
bool is_of_libgomp(const char* name) { return matches(name, {"gomp_*", "GOMP_*"}); }

bool is_libtbb(const char* object) { return matches(object, {"libtbb.so*"}); }

bool is_system_library(const char* object) {
  return matches(object, {"libc.so*", "libc-*.so", "libm.so*", "libstdc++.so*", "libc++*.so*",
                          "libgcc_s.so*", "vgpreload_*", "libatomic.so*", "libtbbmalloc*",
                          "libtbbbind*", "libhwloc*"});
}

// Whether a routine of the C library, which may be linked statically, concerns threads.
bool is_thread_routine(const char* name, bool in_system_library) {
  // Not one of the program's own.
  const bool is_reserved = VG_(strncmp)(name, "__", 2) == 0;
  return (in_system_library || is_reserved) &&
         matches(name, {"pthread_*", "__pthread_*", "start_thread", "clone", "clone3", "__clone*",
                        "thrd_*", "mtx_*", "cnd_*", "sem_*", "__new_sem_*", "__nptl_*", "__lll_*",
                        "__futex_*", "allocate_stack", "__GI___pthread_*", "___pthread_*",
                        "__timedwait*", "futex_*"});
}

// Whether the routine calls outermost routines of the program: main, constructors, or a thread's.
bool calls_outermost(const Routine& routine) {
  return matches(routine.name, {"_start", "__libc_start*"}) ||
         (matches(routine.name, {"call_init*", "call_fini*", "create_thread", "start_thread"}) &&
          shadow::is_of_c_library(routine));
}

// Whether the routine calls what the program has registered for its end. The C library may be
// linked statically.
bool runs_at_exit(const Routine& routine) {
  return matches(routine.name, {"exit", "__run_exit_handlers"}) && shadow::is_of_c_library(routine);
}

// Whether a routine may run at the end of a full expression, or may yield the place where its
// result is stored.
bool is_cleanup(const char* name) {
  return matches(name, {"*::~*", "operator delete*", "*operator=*", "__cxa_*", "_Unwind_*",
                        "__clang_call_terminate", "*::operator[](*", "*::operator->(*",
                        "*::operator\\*()*"});
}

} // namespace

RoutineClassTable* routine_classes;

bool RoutineClassTable::is_plain_without_name(GuestAddr address) {
  const char* object;
  if (!VG_(get_objname)(VG_(current_DiEpoch)(), address, &object))
    return true;
  object = VG_(basename)(object);
  return !is_runtime_library(object) && !is_libtbb(object);
}

RoutineClass RoutineClassTable::of_code(GuestAddr instruction) {
  const RoutineId routine = routines->containing(instruction);
  return routine == RoutineId::none || routine == RoutineId::stub ? RoutineClass::unknown
                                                                  : of(routine);
}
bool RoutineClassTable::is_of_program(GuestAddr instruction) {
  return of_code(instruction) == RoutineClass::program;
}
bool RoutineClassTable::is_of_library(GuestAddr instruction) {
  const RoutineClass found = of_code(instruction);
  return found == RoutineClass::runtime || found == RoutineClass::libtbb;
}

RoutineClass RoutineClassTable::classify(RoutineId id) {
  const Routine& routine = (*routines)[id];
  const char* object = VG_(basename)(routines->objects()[routine.object]);
  const bool system = is_system_library(object) || runs_at_exit(routine);
  RoutineClass made = RoutineClass::program;
  const shadow::Hook* hook = shadow::hook_of(routine);
  if (onetbb::is_template(routine.name) && !is_libtbb(object))
    made = RoutineClass::templates;
  else if (is_libtbb(object))
    made = RoutineClass::libtbb;
  else if (hook != nullptr || is_runtime_library(object) || is_of_libgomp(routine.name) ||
           is_thread_routine(routine.name, system) || calls_outermost(routine))
    made = RoutineClass::runtime;
  else if (is_cleanup(routine.name))
    made = system ? RoutineClass::system_cleanup : RoutineClass::cleanup;
  else if (system)
    made = RoutineClass::system;
  if (made == RoutineClass::templates && routine.file == 0)
    onetbb::not_understood().without_lines++;
  if (index(id) >= classes_.size())
    classes_.resize(index(id) + index(id) / 2 + 16);
  hooks_.resize(classes_.size());
  overheads_.resize(classes_.size());
  classes_[index(id)] = made;
  hooks_[index(id)] = hook;
  overheads_[index(id)] = overhead_kind_of(routine);
  return made;
}
