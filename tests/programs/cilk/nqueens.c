/* nqueens N: in how many ways N queens stand on an N by N board without attacking each other. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 16 };

/* Whether a queen in the given column of the next row is safe from those in the rows above. */
static int safe(int row, const signed char* columns, int column) {
  for (int above = 0; above < row; ++above) {
    int distance = column - columns[above];
    if (distance == 0 || distance == row - above || distance == above - row)
      return 0;
  }
  return 1;
}

static long nqueens(int n, int row, const signed char* columns) {
  signed char boards[LARGEST][LARGEST];
  long ways[LARGEST] = {0}, all = 0;
  if (row == n)
    return 1;
  for (int column = 0; column < n; ++column)
    if (safe(row, columns, column)) {
      memcpy(boards[column], columns, row);
      boards[column][row] = column;
      ways[column] = cilk_spawn nqueens(n, row + 1, boards[column]);
    }
  cilk_sync;
  for (int column = 0; column < n; ++column)
    all += ways[column];
  return all;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 6;
  signed char none[1] = {0};
  if (n < 1 || n > LARGEST)
    return 2;
  printf("nqueens %d\n", n);
  printf("%ld\n", nqueens(n, 0, none));
  return 0;
}
