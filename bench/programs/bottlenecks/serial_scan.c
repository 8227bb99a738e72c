// KIND serial, NAMES offsets: records are measured and written by parallel loops; between them, offsets are added up.
#include <stdio.h>
#include <stdlib.h>

enum { kRecords = 20000, kRounds = 4 };

static unsigned size_of(unsigned record) {
  return record % 7 + record % 13 + record % 31 + 1;
}

static void measure(const unsigned* records, unsigned* sizes) {
#pragma omp parallel for
  for (int i = 0; i < kRecords; i++)
    sizes[i] = size_of(records[i]);
}

static void offsets(const unsigned* sizes, unsigned* at) {
#ifdef FIXED
  enum { kBlocks = 64, kEach = (kRecords + kBlocks - 1) / kBlocks };
  unsigned sums[kBlocks + 1] = {0};
#pragma omp parallel for
  for (int b = 0; b < kBlocks; b++)
    for (int i = b * kEach; i < (b + 1) * kEach && i < kRecords; i++)
      sums[b + 1] += (sizes[i] + 15) / 16 * 16;
  for (int b = 0; b < kBlocks; b++)
    sums[b + 1] += sums[b];
#pragma omp parallel for
  for (int b = 0; b < kBlocks; b++) {
    unsigned sum = sums[b];
    for (int i = b * kEach; i < (b + 1) * kEach && i < kRecords; i++) {
      at[i] = sum;
      sum += (sizes[i] + 15) / 16 * 16;
    }
  }
#else
  unsigned sum = 0;
  for (int i = 0; i < kRecords; i++) { // CULPRIT
    at[i] = sum;
    sum += (sizes[i] + 15) / 16 * 16;
  }
#endif
}

static void write_all(const unsigned* records, const unsigned* at, unsigned* out) {
#pragma omp parallel for
  for (int i = 0; i < kRecords; i++)
    out[i] = records[i] * 31 + at[i];
}

int main(void) {
  unsigned* records = malloc(kRecords * 4);
  unsigned* sizes = malloc(kRecords * 4);
  unsigned* at = malloc(kRecords * 4);
  unsigned* out = malloc(kRecords * 4);
#pragma omp parallel for
  for (int i = 0; i < kRecords; i++)
    records[i] = i * 2654435761u;
  for (int round = 0; round < kRounds; round++) {
    measure(records, sizes);
    offsets(sizes, at);
    write_all(records, at, out);
  }
  printf("%u\n", out[kRecords / 2]);
}
