// KIND pipeline, NAMES compress: threads that pass blocks through pipes; the second one compresses.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { kBlocks = 40, kSize = 8192 };

static int to_compress[2], to_write[2];

static void *read_blocks(void *arg) {
  unsigned char block[kSize];
  for (int b = 0; b < kBlocks; b++) {
    for (int i = 0; i < kSize; i++)
      block[i] = (i * b) >> 3;
    write(to_compress[1], block, kSize);
  }
  close(to_compress[1]);
  return arg;
}

static void *compress(void *arg) {
  unsigned char block[kSize];
  while (read(to_compress[0], block, kSize) > 0) {
#ifdef FIXED
    const int levels = 1, from = kSize / 3;
#else
    const int levels = 8, from = 0;
#endif
    for (int level = 0; level < levels; level++) // CULPRIT
      for (int i = kSize - 1; i > from; i--)
        block[i] = block[i] * 3 - block[i - 1];
    write(to_write[1], block, kSize);
  }
  close(to_write[1]);
  return arg;
}

static void *write_blocks(void *arg) {
  unsigned char block[kSize];
  unsigned sum = 0;
  while (read(to_write[0], block, kSize) > 0)
    for (int i = 0; i < kSize; i++)
      sum = sum * 31 + block[i];
  printf("%u\n", sum);
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pipe(to_compress);
  pipe(to_write);
  pthread_create(&threads[0], NULL, read_blocks, NULL);
  pthread_create(&threads[1], NULL, compress, NULL);
  pthread_create(&threads[2], NULL, write_blocks, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
}
