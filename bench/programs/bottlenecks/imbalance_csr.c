// KIND imbalance, NAMES spmv: a sparse matrix whose rows get shorter, under a static schedule.
#include <stdio.h>
#include <stdlib.h>

#ifdef FIXED
#define HOW schedule(dynamic, 16)
#else
#define HOW schedule(static)
#endif

#define str(x) #x
#define PRAGMA(x) _Pragma(str(x))
typedef struct {
  int n, *row, *col;
  double* val;
} csr;

static void spmv(const csr* m, const double* x, double* y) {
  PRAGMA(omp parallel for HOW)
  for (int i = 0; i < m->n; i++) { // CULPRIT
    double s = 0;
    for (int k = m->row[i]; k < m->row[i + 1]; k++)
      s += m->val[k] * x[m->col[k]];
    y[i] = s;
  }
}

int main(void) {
  csr m = {2000, malloc(8004), malloc(4 * 200000), malloc(8 * 200000)};
  double *x = calloc(2000, 8), *y = calloc(2000, 8);
  int nz = 0;
  for (int i = 0; i < m.n; i++) {
    m.row[i] = nz;
    for (int k = 0; k < 1 + 6000 / (i + 40); k++) {
      m.col[nz] = (i * 7 + k * 13) % 2000;
      m.val[nz++] = .5;
    }
  }
  m.row[m.n] = nz;
  for (int i = 0; i < m.n; i++)
    x[i] = i;
  for (int it = 0; it < 30; it++) {
    spmv(&m, x, y);
    double* s = x;
    x = y;
    y = s;
  }
  printf("%g\n", x[3]);
}
