// Memory at two addresses at once: a ring buffer, as of a memfd, and a segment of System V. Also
// what is not: other pages of the file, pages mapped again where they were, a segment attached
// after another.
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "must.h"

enum { kPage = 4096 };

int main(void) {
  const int file = DO(memfd_create("ring", 0));
  DO(ftruncate(file, 2 * kPage));
  char* const room = mmap(NULL, 3 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const int both = PROT_READ | PROT_WRITE, fixed = MAP_SHARED | MAP_FIXED;
  mmap(room, kPage, both, fixed, file, 0);
  mmap(room, kPage, both, fixed, file, 0);
  mmap(room + kPage, kPage, both, fixed, file, kPage);
  mmap(room + 2 * kPage, kPage, both, fixed, file, 0); // the first page again
  room[0] = 1;
  if (mremap(room, 0, kPage, MREMAP_MAYMOVE) != MAP_FAILED)
    return 2; // Valgrind refuses copies

  const int segment = DO(shmget(IPC_PRIVATE, kPage, 0600));
  DO(shmdt(shmat(segment, NULL, 0)));
  char* const one = shmat(segment, NULL, 0);
  char* const other = shmat(segment, NULL, 0);
  one[0] = 1;
  DO(shmctl(segment, IPC_RMID, NULL));
  return room[2 * kPage] != 1 || other[0] != 1;
}
