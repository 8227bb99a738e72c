/* The interface to Cilk's run-time system. All answers are those of a single worker, because the
   program runs serially. Part of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_CILK_API_H
#define CILKSHADOW_CILK_API_H

#define CILK_API_SERIAL static __inline__ __attribute__((__unused__))

CILK_API_SERIAL int __cilkrts_is_initialized(void) { return 1; }
CILK_API_SERIAL void __cilkrts_init(void) {}
CILK_API_SERIAL void __cilkrts_end_cilk(void) {}
/* Returns 0 for success, as in Cilk Plus. */
CILK_API_SERIAL int __cilkrts_set_param(const char* name, const char* value) {
  (void)name;
  (void)value;
  return 0;
}

CILK_API_SERIAL unsigned __cilkrts_get_nworkers(void) { return 1; }
CILK_API_SERIAL unsigned __cilkrts_get_total_workers(void) { return 1; }
CILK_API_SERIAL unsigned __cilkrts_get_worker_number(void) { return 0; }
CILK_API_SERIAL int __cilkrts_running_on_workers(void) { return 1; }
CILK_API_SERIAL int __cilkrts_get_force_reduce(void) { return 0; }
/* Spawned calls have always returned already. */
CILK_API_SERIAL int __cilkrts_synched(void) { return 1; }

#undef CILK_API_SERIAL

#endif
