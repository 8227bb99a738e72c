// random_access MEGABYTES UPDATES: increments numbers at random places of a table.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  if (argc != 3)
    return 2;
  const size_t cells = strtoul(argv[1], NULL, 10) * (1 << 20) / sizeof(long);
  const long updates = atol(argv[2]);
  long* table = calloc(cells, sizeof *table);
  unsigned long place = 1;
  for (long i = 0; i < updates; i++) {
    place = place * 6364136223846793005ul + 1442695040888963407ul;
    table[(place >> 20) % cells] += i;
  }
  printf("%ld\n", table[cells / 2]);
  free(table);
  return 0;
}
