// task_recursion THREADS QUEENS: OpenMP tasks, one for each safe place of the first rows, that count
// the ways to put so many queens on a board.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20, ROWS_WITH_TASKS = 3 };

static int queens;

static int is_safe(const char* columns, int row, int column) {
  for (int above = 0; above < row; above++) {
    const int distance = columns[above] - column;
    if (distance == 0 || distance == row - above || distance == above - row)
      return 0;
  }
  return 1;
}

static long solutions(const char* columns, int row) {
  if (row == queens)
    return 1;
  long counts[MOST] = {0};
  for (int column = 0; column < queens; column++) {
    if (!is_safe(columns, row, column))
      continue;
    char next[MOST];
    memcpy(next, columns, (size_t)row);
    next[row] = (char)column;
#pragma omp task if (row < ROWS_WITH_TASKS) firstprivate(next) shared(counts)
    counts[column] = solutions(next, row + 1);
  }
#pragma omp taskwait
  long total = 0;
  for (int column = 0; column < queens; column++)
    total += counts[column];
  return total;
}

int main(int argc, char** argv) {
  if (argc != 3 || atoi(argv[2]) > MOST)
    return 2;
  omp_set_num_threads(atoi(argv[1]));
  queens = atoi(argv[2]);
  long total = 0;
#pragma omp parallel
#pragma omp single
  total = solutions("", 0);
  printf("%ld\n", total);
  return 0;
}
