// growth WHAT N: a program of which one thing is as large as N says, for bench/growth.
//   work N       N thousand calls of a routine that reads and writes 64 numbers
//   threads N    N threads, all alive at once, that share a fixed amount of work
//   memory N     N megabytes stored once, then read a fixed number of times
//   depth N      a fixed number of calls, in recursions N deep, that all read the same numbers
//   sizes N      a fixed number of calls of a routine, pending alike, with N different input sizes
// With N 0 there is nothing but the program's start, and of sizes the numbers to read. The process's peak
// of memory begins anew after the start.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CELLS = 64, READS = 8, DEEP_CALLS = 40000000, SHARED_CALLS = 4000000 };
enum { SIZED_CALLS = 1000000, STEPS = 1000, MIDDLE_SIZE = SIZED_CALLS / 2 };

static long numbers[CELLS];
static pthread_barrier_t all_here;

static __attribute__((noinline)) long step(long* at) {
  long total = 0;
  for (int i = 0; i < CELLS; i++)
    total += at[i]++;
  return total;
}

static long work(long thousands) {
  long total = 0;
  for (long i = 0; i < thousands * 1000; i++)
    total += step(numbers);
  return total;
}

static void* share(void* calls) {
  long own[CELLS] = {0}, total = 0;
  pthread_barrier_wait(&all_here);
  for (long i = 0; i < (long)calls; i++)
    total += step(own);
  return (void*)total;
}

static long threads(long count) {
  if (count == 0)
    return 0;
  pthread_t id[count];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  pthread_barrier_init(&all_here, NULL, (unsigned)count);
  for (long i = 0; i < count; i++)
    if (pthread_create(&id[i], &small, share, (void*)(SHARED_CALLS / count)) != 0)
      exit(3);
  for (long i = 0; i < count; i++)
    pthread_join(id[i], NULL);
  return count;
}

static __attribute__((noipa)) long sum(const long* array, size_t size) {
  long total = 0;
  for (size_t i = 0; i < size; i++)
    total += array[i];
  return total;
}

// Read often: beside the time for handing out fresh memory, which is never the same, one read would not
// be seen.
static long memory(long megabytes) {
  const size_t cells = (size_t)megabytes * (1 << 20) / sizeof(long);
  long* touched = malloc(cells * sizeof(long));
  long total = 0;
  for (size_t i = 0; i < cells; i++)
    touched[i] = (long)i;
  for (int reads = 0; reads < READS; reads++)
    total += sum(touched, cells);
  free(touched);
  return total;
}

static __attribute__((noinline, noclone, optimize("no-optimize-sibling-calls"))) long
descend(long levels) {
  const long own = numbers[levels % CELLS];
  return levels > 1 ? own + descend(levels - 1) : own;
}

static void* descend_often(void* levels) {
  long total = 0;
  for (long calls = 0; calls < DEEP_CALLS; calls += (long)levels)
    total += descend((long)levels);
  return (void*)total;
}

// In a thread, whose stack may be as large as it takes.
static long depth(long levels) {
  if (levels == 0)
    return 0;
  pthread_t id;
  pthread_attr_t deep;
  void* total;
  pthread_attr_init(&deep);
  pthread_attr_setstacksize(&deep, (size_t)levels * 64 + (1 << 20));
  if (pthread_create(&id, &deep, descend_often, (void*)levels) != 0)
    exit(3);
  pthread_join(id, &total);
  return (long)total;
}

// So many steps down to a call that reads `size` numbers; on the way back up, each of the first `reading`
// calls reads one more.
static __attribute__((noinline, noclone, optimize("no-optimize-sibling-calls"))) long
climb(const int* array, long size, long steps, long reading) {
  long total = 0;
  if (steps > 1)
    total = climb(array, size, steps - 1, reading);
  else
    for (long i = 0; i < size; i++)
      total += array[i];
  return steps <= reading ? total + array[size + steps - 1] : total;
}

// A call's size is that of the call it makes and its own number: 1,000,000 sizes would take STEPS times
// the loads if no two calls shared any.
static long sizes(long count) {
  static int array[SIZED_CALLS + STEPS];
  long total = 0;
  for (int i = 0; i < SIZED_CALLS + STEPS; i++)
    array[i] = i;
  for (long calls = 0; count > 0 && calls < SIZED_CALLS; calls += STEPS)
    total += climb(array, MIDDLE_SIZE - count / 2 + calls % count, STEPS, count);
  return total;
}

// Reading debug information takes memory for a moment, beside which what the small sizes take would not
// be seen. See proc(5): VmHWM, as ru_maxrss is, becomes what is resident now.
static void reset_peak(void) {
  const int file = open("/proc/self/clear_refs", O_WRONLY);
  if (file < 0 || write(file, "5", 1) != 1)
    perror("growth: the peak is that of the start: /proc/self/clear_refs");
  if (file >= 0)
    close(file);
}

int main(int argc, char** argv) {
  static const struct {
    const char* what;
    long (*grow)(long);
  } kinds[] = {
      {"work", work}, {"threads", threads}, {"memory", memory}, {"depth", depth}, {"sizes", sizes}};
  for (size_t i = 0; argc == 3 && i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].what, argv[1]) == 0) {
      reset_peak();
      printf("%ld\n", kinds[i].grow(atol(argv[2])));
      return 0;
    }
  fprintf(stderr, "usage: growth work|threads|memory|depth|sizes N\n");
  return 2;
}
