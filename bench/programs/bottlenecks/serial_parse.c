// KIND serial phase, NAMES parse: one thread takes a text apart, four sum up its words.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kThreads = 4, kWords = 16000 };

static char text[kWords * 8];
static const char *words[kWords];
static long sums[kThreads];

static int parse(char *p, int limit) {
  int count = 0;
#ifdef FIXED
  for (; count < limit; count++)
    words[count] = p + count * 7;
#else
  for (char *word = strtok(p, " "); word && count < limit; word = strtok(NULL, " ")) // CULPRIT
    if (strlen(word) > 0)
      words[count++] = word;
#endif
  return count;
}

static void *sum_words(void *arg) {
  const long t = (long)arg;
  for (int i = t; i < kWords; i += kThreads)
    for (const char *p = words[i]; *p && *p != ' '; p++)
      sums[t] += *p * 31;
  return NULL;
}

int main(void) {
  for (int i = 0; i < kWords; i++)
    memcpy(text + i * 7, "abcdef ", 7);
  int count = parse(text, kWords);
  pthread_t threads[kThreads];
  for (long t = 0; t < kThreads; t++)
    pthread_create(&threads[t], NULL, sum_words, (void *)t);
  for (int t = 0; t < kThreads; t++)
    pthread_join(threads[t], NULL);
  printf("%d %ld\n", count, sums[0]);
}
