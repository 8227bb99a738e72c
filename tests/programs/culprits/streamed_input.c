// A digest that goes over the whole of its state for each word that arrives, of which there is one more each
// time. From a file, or with an argument from another thread: the words pass through one small buffer. With
// REPAIRED the state has a fixed size.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNK = 16, MOST = 640 };

static unsigned chunk[CHUNK], sent;
static int full[2], empty[2]; // pipes: of a semaphore the threads read more or less, as they meet
static FILE *file;

static void tell(const int ends[2]) {
  if (write(ends[1], "", 1) != 1)
    abort();
}

static void hear(const int ends[2]) {
  char byte;
  if (read(ends[0], &byte, 1) != 1)
    abort();
}

static void receive(void) {
  if (file) {
    if (read(fileno(file), chunk, sizeof chunk) != sizeof chunk)
      abort();
    return;
  }
  tell(empty);
  hear(full);
}

__attribute__((noinline)) unsigned digest(int words) {
  unsigned state = 1;
  for (int i = 0; i < words; i++) {
    if (i % CHUNK == 0)
      receive();
    state ^= chunk[i % CHUNK];
#ifdef REPAIRED
    int rounds = 8;
#else
    int rounds = i;
#endif
    for (int k = 0; k < rounds; k++) {
      if (state & 1)
        state = state / 2 ^ 0xedb88320u;
      else
        state /= 2;
    }
  }
  return state;
}

static void *send(void *chunks) {
  for (long i = 0; i < (long)chunks; i++) {
    hear(empty);
    for (int k = 0; k < CHUNK; k++)
      chunk[k] = sent++;
    tell(full);
  }
  return 0;
}

int main(int argc, char **argv) {
  (void)argv;
  long chunks = 0;
  for (int words = CHUNK; words <= MOST; words += CHUNK)
    chunks += words / CHUNK;
  pthread_t sender;
  if (argc > 1) {
    if (pipe(full) || pipe(empty))
      abort();
    pthread_create(&sender, 0, send, (void *)chunks);
  } else {
    file = fopen("/dev/zero", "r");
  }
  unsigned sum = 0;
  for (int words = CHUNK; words <= MOST; words += CHUNK)
    sum += digest(words);
  if (argc > 1)
    pthread_join(sender, 0);
  printf("%u\n", sum);
}
