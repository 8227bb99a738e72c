// KIND serial phase, NAMES merge_buckets: threads count into tables of their own, which one function then merges.
#include <stdio.h>
#include <stdlib.h>

enum { kKeys = 40000, kBuckets = 4096, kTables = 8 };

static unsigned keys[kKeys], tables[kTables][kBuckets], total[kBuckets];

static void count(int table) {
  for (int i = table; i < kKeys; i += kTables)
    tables[table][keys[i] * 2654435761u % kBuckets]++;
}

static void merge_buckets(void) {
#ifdef FIXED
#pragma omp parallel for
#endif
  for (int bucket = 0; bucket < kBuckets; bucket++) { // CULPRIT
    unsigned sum = 0;
    for (int table = 0; table < kTables; table++)
      sum += tables[table][bucket];
    for (int spread = 0; spread < 40; spread++)
      sum = sum * 3 + 1;
    total[bucket] = sum;
  }
}

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < kKeys; i++)
    keys[i] = i * 40503u;
#pragma omp parallel for schedule(dynamic)
  for (int table = 0; table < kTables; table++)
    count(table);
  merge_buckets();
  printf("%u\n", total[7]);
}
