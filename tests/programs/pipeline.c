// A two-thread pipeline over a file: one thread reads blocks into a small ring of buffers, the
// other digests messages of growing length from them. The ring is reused, so that the read memory
// size of a message levels off at the ring's size while its threaded read memory size is the
// message's length: the story of Figures 4 and 5 of the aprof-trms paper, in a hundred lines.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kBlock = 1024, kRing = 8, kMessages = 60 };

static unsigned char ring[kRing][kBlock];
static sem_t full, empty;
static int file;

static int blocks_of(int message) { return 1 + message; }

__attribute__((noinline, noipa)) void fill_block(unsigned char* block) {
  for (size_t done = 0; done < kBlock;) {
    const ssize_t bytes = read(file, block + done, kBlock - done);
    if (bytes > 0) {
      done += (size_t)bytes;
    } else if (bytes < 0 || lseek(file, 0, SEEK_SET) != 0) { // at the end: start over
      perror("pipeline: read");
      exit(1);
    }
  }
}

// Copies, as a parser or decoder would: the ring's contents come from this thread.
__attribute__((noinline, noipa)) void send_block(const unsigned char* block, unsigned char* to) {
  for (int i = 0; i < kBlock; i++)
    to[i] = block[i] ^ 0x5A;
}

static void* reader(void* unused) {
  unsigned char block[kBlock];
  int at = 0;
  pthread_setname_np(pthread_self(), "reader");
  for (int message = 0; message < kMessages; message++)
    for (int i = 0; i < blocks_of(message); i++) {
      fill_block(block);
      sem_wait(&empty);
      send_block(block, ring[at]);
      at = (at + 1) % kRing;
      sem_post(&full);
    }
  return unused;
}

__attribute__((noinline, noipa)) unsigned digest_block(unsigned hash, const unsigned char* block) {
  for (int i = 0; i < kBlock; i++)
    hash = (hash ^ block[i]) * 16777619u;
  return hash;
}

__attribute__((noinline, noipa)) unsigned digest_message(int blocks, int* at) {
  unsigned hash = 2166136261u;
  for (int i = 0; i < blocks; i++) {
    sem_wait(&full);
    hash = digest_block(hash, ring[*at]);
    *at = (*at + 1) % kRing;
    sem_post(&empty);
  }
  return hash;
}

int main(int argc, char** argv) {
  pthread_t thread;
  int at = 0;
  unsigned hash = 0;
  file = open(argc > 1 ? argv[1] : argv[0], O_RDONLY);
  if (file < 0 || sem_init(&full, 0, 0) != 0 || sem_init(&empty, 0, kRing) != 0 ||
      pthread_create(&thread, NULL, reader, NULL) != 0) {
    perror("pipeline");
    return 1;
  }
  for (int message = 0; message < kMessages; message++)
    hash ^= digest_message(blocks_of(message), &at);
  pthread_join(thread, NULL);
  printf("%08x\n", hash);
  return 0;
}
