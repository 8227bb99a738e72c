// A digest that goes over the whole of its state for each word that arrives, of which there is one more each
// time. From a file, or with an argument from another thread: the words pass through one small buffer. With
// REPAIRED the state has a fixed size.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNK = 16, MOST = 640 };

static unsigned chunk[CHUNK], sent;
static sem_t full, empty;
static FILE *file;

static void receive(void) {
  if (file) {
    if (read(fileno(file), chunk, sizeof chunk) != sizeof chunk)
      abort();
    return;
  }
  sem_post(&empty);
  sem_wait(&full);
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
    sem_wait(&empty);
    for (int k = 0; k < CHUNK; k++)
      chunk[k] = sent++;
    sem_post(&full);
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
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 0);
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
