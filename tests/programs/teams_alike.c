// Two regions with the same body at the same time, of two and of three threads. Who begins as the
// last one of the second may be taken for one of the first, up to the end of that. By then it has
// met loops that nobody else of its team has met.
#include <omp.h>
#include <sched.h>
#include <stdio.h>

enum { kLoops = 12, kMetAlone = 6, kIterations = 300 };
static int sums[kLoops];
static int begun[2]; // threads, by region; of the second without the one that began it
static int met;
static int is_over; // the first region

static void await(const int* flag, int least) {
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) < least)
    sched_yield();
}

static void body(int region) {
  const int is_first = omp_get_thread_num() == 0;
  const int order = is_first ? 0 : __atomic_add_fetch(&begun[region], 1, __ATOMIC_ACQ_REL);
  if (region == 0) {
    await(&met, kMetAlone);
    return;
  }
  if (order < 2)
    await(&met, kLoops);
  for (int loop = 0; loop < kLoops; loop++) {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < kIterations; i++)
      __atomic_fetch_add(&sums[loop], i, __ATOMIC_RELAXED);
    if (order < 2)
      continue;
    __atomic_store_n(&met, loop + 1, __ATOMIC_RELEASE);
    if (loop + 1 == kMetAlone)
      await(&is_over, 1);
  }
}

int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    const int region = omp_get_thread_num();
    if (region == 1)
      await(&begun[0], 1);
#pragma omp parallel num_threads(2 + region)
    body(omp_get_ancestor_thread_num(1));
    if (region == 0)
      __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
  }
  printf("%d\n", sums[0] + sums[kLoops - 1]);
}
