// A compressor that looks for matches in a window by hash chains of limited length.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 4096

static int head[4096], previous[WINDOW];

static unsigned hash3(const unsigned char *p) { return (p[0] * 506832829u ^ p[1] * 2654435761u ^ p[2] * 40503u) >> 7 & 4095; }

static int longest(const unsigned char *data, int at, int n) {
  int best = 0, chain = 16;
  for (int p = head[hash3(data + at)]; p >= 0 && at - p < WINDOW && chain-- > 0; p = previous[p % WINDOW]) {
    int k = 0;
    while (k < 64 && at + k < n && data[p + k] == data[at + k]) k++;
    if (k > best) best = k;
  }
  return best;
}

static int compress(const unsigned char *data, int n) {
  int out = 0;
  memset(head, -1, sizeof head);
  for (int at = 0; at + 3 < n;) {
    int length = longest(data, at, n), step = length >= 3 ? length : 1;
    out += length >= 3 ? 3 : 1;
    for (int k = 0; k < step && at + 3 < n; k++, at++) {
      unsigned h = hash3(data + at);
      previous[at % WINDOW] = head[h];
      head[h] = at;
    }
  }
  return out;
}

int main(void) {
  static unsigned char data[40000];
  unsigned state = 1;
  for (int i = 0; i < 40000; i++) {
    state = state * 1664525 + 1013904223;
    data[i] = (unsigned char)("the cat sat on a mat "[(state >> 20) % 21]);
    if (state >> 28 == 0 && i > 500)
      for (int k = 0; k < 30 && i < 39999; k++, i++) data[i] = data[i - 300];
  }
  int out = 0;
  for (int n = 4000; n <= 40000; n += 4000) out += compress(data, n);
  printf("%d\n", out);
}
