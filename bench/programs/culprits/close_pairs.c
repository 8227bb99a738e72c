// Counts pairs of points that are near to each other, by trying all pairs.
// culprit: count_close, near
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  float x, y;
} Point;

static Point *make_points(int n) {
  Point *p = malloc((size_t)n * sizeof *p);
  unsigned s = 1;
  for (int i = 0; i < n; i++) {
    s = s * 1664525 + 1013904223;
    p[i].x = (float)(s >> 16 & 1023);
    s = s * 1664525 + 1013904223;
    p[i].y = (float)(s >> 16 & 1023);
  }
  return p;
}

#ifdef REPAIRED
static int by_x(const void *a, const void *b) {
  float d = ((const Point *)a)->x - ((const Point *)b)->x;
  return d < 0 ? -1 : d > 0;
}
#endif

static int count_close(Point *p, int n, float radius) {
  int close = 0;
#ifdef REPAIRED
  qsort(p, (size_t)n, sizeof *p, by_x);
#endif
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) { // CULPRIT
      float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y;
#ifdef REPAIRED
      if (dx > radius) break;
#endif
      close += dx * dx + dy * dy < radius * radius;
    }
  return close;
}

int main(void) {
  Point *p = make_points(2000);
  printf("%d\n", count_close(p, 2000, 1.5f));
  free(p);
}
