// Memory that is mapped, unmapped, mapped over, moved, dropped: whether what a routine then reads
// there is external input, and that nothing remains of what was there before. Each case ends in a
// scan by a routine of its own. Two pages and a bit are scanned, 2500 cells, unless it says
// otherwise. Runs in an empty folder of its own.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "must.h"

#define NOINLINE __attribute__((noinline, noipa))

enum { kCells = 2500, kBytes = 3 * 4096, kLarge = 1 << 20, kLargeCells = kLarge / 4 };
enum { kReadWrite = PROT_READ | PROT_WRITE, kFresh = MAP_PRIVATE | MAP_ANONYMOUS };

static long total;

static inline __attribute__((always_inline)) long sum(const int* from, int cells) {
  long result = 0;
  for (int i = 0; i < cells; i++)
    result += ((const volatile int*)from)[i];
  return result;
}
#define SCAN(name, from, cells) total += scan_##name(from, cells)
#define SCANNER(name)                                                                              \
  NOINLINE long scan_##name(const int* from, int cells) { return sum(from, cells); }

// A system call between two scans in one activation.
#define SCANNER_TWICE(name, number, a, b, c, d, e)                                                 \
  NOINLINE long scan_##name(const int* from, const int* then) {                                    \
    long result = sum(from, kCells);                                                               \
    register long r10 __asm__("r10") = d;                                                          \
    register const void* r8 __asm__("r8") = e;                                                     \
    long called;                                                                                   \
    __asm__ volatile("syscall"                                                                     \
                     : "=a"(called)                                                                \
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)                      \
                     : "rcx", "r11", "memory");                                                    \
    return called < 0 ? called : result + sum(then, kCells);                                       \
  }
#define SCAN_TWICE(name, from, then) total += check("in " #name, scan_##name(from, then))

static int* map_at(void* at, size_t bytes, int protection, int flags, int file) {
  int* result = mmap(at, bytes, protection, flags, file, 0);
  DO(result == MAP_FAILED ? -1 : 0);
  return result;
}
static int* fresh(void) { return map_at(NULL, kBytes, kReadWrite, kFresh, -1); }

static void* fill(void* to) {
  memset(to, 1, kBytes);
  return NULL;
}
static int* filled_by_a_thread(int* to) {
  pthread_t thread;
  DO(-pthread_create(&thread, NULL, fill, to));
  pthread_join(thread, NULL);
  return to;
}
static int* filled_by_the_kernel(int* to) {
  DO(syscall(SYS_getrandom, to, kBytes, 0) - kBytes);
  return to;
}

SCANNER(file_private)
SCANNER(file_shared)
SCANNER(file_write_only)
SCANNER(file_large)
SCANNER(file_own_write)
SCANNER(memfd)
SCANNER(posix_shm)
static void files(int file) {
  SCAN(file_private, map_at(NULL, kBytes, PROT_READ, MAP_PRIVATE, file), kCells);
  SCAN(file_shared, map_at(NULL, kBytes, PROT_READ, MAP_SHARED, file), kCells);
  int* shared = map_at(NULL, kBytes, kReadWrite, MAP_SHARED, file);
  memset(shared, 2, 400); // 100 cells that are this thread's own now
  SCAN(file_own_write, shared, kCells);
  SCAN(file_write_only, map_at(NULL, kBytes, PROT_WRITE, MAP_SHARED, file), kCells);
  SCAN(file_large, map_at(NULL, kLarge, PROT_READ, MAP_PRIVATE, file), kLargeCells);

  const int memory = DO(memfd_create("memory", 0));
  DO(ftruncate(memory, kBytes));
  SCAN(memfd, map_at(NULL, kBytes, PROT_READ, MAP_SHARED, memory), kCells);

  char name[32];
  snprintf(name, sizeof name, "/aprof-test-%d", getpid());
  const int shm = DO(shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600));
  DO(shm_unlink(name));
  DO(ftruncate(shm, kBytes));
  SCAN(posix_shm, map_at(NULL, kBytes, kReadWrite, MAP_SHARED, shm), kCells);
}

// No file is behind these.
SCANNER(anonymous)
SCANNER(anonymous_shared)
SCANNER(dev_zero)
SCANNER(heap_shrunk_and_grown)
static void no_files(void) {
  SCAN(anonymous, fresh(), kCells);
  SCAN(anonymous_shared, map_at(NULL, kBytes, kReadWrite, MAP_SHARED | MAP_ANONYMOUS, -1), kCells);
  const int zero = DO(open("/dev/zero", O_RDWR));
  SCAN(dev_zero, map_at(NULL, kBytes, kReadWrite, MAP_PRIVATE, zero), kCells);
  int* heap = sbrk(2 * kBytes);
  filled_by_the_kernel(heap); // starting a thread would itself move the break
  DO(brk(heap));
  DO(brk((char*)heap + 2 * kBytes));
  SCAN(heap_shrunk_and_grown, heap, kCells);
}

SCANNER(protected_file)
SCANNER(protected_anonymous)
SCANNER_TWICE(protected_between, SYS_mprotect, from, kBytes, kReadWrite, 0, NULL)
static void protection(int file) {
  int* mapped = map_at(NULL, kBytes, PROT_NONE, MAP_PRIVATE, file);
  DO(mprotect(mapped, kBytes, PROT_READ));
  SCAN(protected_file, mapped, kCells);
  SCAN_TWICE(protected_between, mapped, mapped);
  mapped = map_at(NULL, kBytes, PROT_NONE, kFresh, -1);
  DO(mprotect(mapped, kBytes, kReadWrite));
  SCAN(protected_anonymous, mapped, kCells);
}

SCANNER(file_over_own)
SCANNER(anonymous_over_file)
SCANNER(anonymous_over_thread)
SCANNER(unmapped_thread)
SCANNER(unmapped_kernel)
static void over_old_data(int file) {
  int* at = fresh();
  memset(at, 1, kBytes);
  map_at(at, kBytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, file);
  SCAN(file_over_own, at, kCells);
  map_at(at, kBytes, kReadWrite, kFresh | MAP_FIXED, -1);
  SCAN(anonymous_over_file, at, kCells);
  filled_by_a_thread(at);
  map_at(at, kBytes, kReadWrite, kFresh | MAP_FIXED, -1);
  SCAN(anonymous_over_thread, at, kCells);
  filled_by_a_thread(at);
  DO(munmap(at, kBytes));
  map_at(at, kBytes, kReadWrite, kFresh | MAP_FIXED_NOREPLACE, -1);
  SCAN(unmapped_thread, at, kCells);
  filled_by_the_kernel(at);
  DO(munmap(at, kBytes));
  map_at(at, kBytes, kReadWrite, kFresh | MAP_FIXED_NOREPLACE, -1);
  SCAN(unmapped_kernel, at, kCells);
}

SCANNER(moved_thread)
SCANNER(moved_kernel)
SCANNER(moved_from)
SCANNER(grown_anonymous)
SCANNER(grown_file)
SCANNER_TWICE(moved_between, SYS_mremap, from, kBytes, kBytes, MREMAP_MAYMOVE | MREMAP_FIXED, then)
static int* a_place(size_t bytes) {
  int* at = map_at(NULL, bytes, PROT_NONE, kFresh, -1);
  DO(munmap(at, bytes));
  return at;
}
static int* move(int* from, size_t to_bytes) {
  int* to = mremap(from, kBytes, to_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, a_place(to_bytes));
  DO(to == MAP_FAILED ? -1 : 0);
  return to;
}
static void moved(int file) {
  int* from = filled_by_a_thread(fresh());
  SCAN(moved_thread, move(from, kBytes), kCells);
  map_at(from, kBytes, kReadWrite, kFresh | MAP_FIXED_NOREPLACE, -1);
  SCAN(moved_from, from, kCells);
  SCAN(moved_kernel, move(filled_by_the_kernel(from), kBytes), kCells);
  from = fresh();
  memset(from, 1, kBytes);
  SCAN_TWICE(moved_between, from, a_place(kBytes));
  SCAN(grown_anonymous, move(fresh(), 2 * kBytes), 2 * kCells);
  SCAN(grown_file, move(map_at(NULL, kBytes, PROT_READ, MAP_PRIVATE, file), 2 * kBytes),
       2 * kCells);
}

SCANNER(dropped_thread)
SCANNER_TWICE(dropped_anonymous, SYS_madvise, from, kBytes, MADV_DONTNEED, 0, NULL)
SCANNER_TWICE(dropped_file, SYS_madvise, from, kBytes, MADV_DONTNEED, 0, NULL)
SCANNER_TWICE(advised, SYS_madvise, from, kBytes, MADV_SEQUENTIAL, 0, NULL)
static void dropped(int file) {
  int* at = filled_by_a_thread(fresh());
  DO(madvise(at, kBytes, MADV_DONTNEED));
  SCAN(dropped_thread, at, kCells);
  SCAN_TWICE(dropped_anonymous, at, at);
  SCAN_TWICE(advised, at, at);
  at = map_at(NULL, kBytes, PROT_READ, MAP_PRIVATE, file);
  SCAN_TWICE(dropped_file, at, at);
}

SCANNER(shmat)
SCANNER(shmat_again)
SCANNER(shmat_own)
SCANNER(shmdt)
static void system_v(void) {
  const int segment = DO(shmget(IPC_PRIVATE, kBytes, 0600));
  if (fork() == 0) {
    memset(shmat(segment, NULL, 0), 3, kBytes);
    _exit(0);
  }
  wait(NULL);
  int* at = shmat(segment, NULL, 0);
  SCAN(shmat, at, kCells);
  memset(at, 4, kBytes);
  SCAN(shmat_own, at, kCells);
  DO(shmdt(at));
  SCAN(shmat_again, shmat(segment, at, SHM_RDONLY), kCells);
  DO(shmdt(at));
  DO(shmctl(segment, IPC_RMID, NULL));
  SCAN(shmdt, map_at(at, kBytes, kReadWrite, kFresh | MAP_FIXED_NOREPLACE, -1), kCells);
}

int main(void) {
  const int file = DO(open("data", O_RDWR | O_CREAT, 0600));
  DO(ftruncate(file, kLarge));
  files(file);
  no_files();
  protection(file);
  over_old_data(file);
  moved(file);
  dropped(file);
  system_v();
  return total == -1;
}
