// A checksum by table, of messages of many lengths, and a scan of a table of fixed size for each.
#include <stdio.h>
#include <stdlib.h>

static unsigned table[256];
static int ports[64];

static unsigned crc(const unsigned char *data, int n) {
  unsigned c = ~0u;
  for (int i = 0; i < n; i++) c = table[(c ^ data[i]) & 255] ^ c >> 8;
  return ~c;
}

static int route(unsigned c) {
  for (int i = 0; i < 64; i++)
    if (ports[i] == (int)(c & 63)) return i;
  return -1;
}

int main(void) {
  for (unsigned i = 0; i < 256; i++) {
    unsigned c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
    table[i] = c;
  }
  for (int i = 0; i < 64; i++) ports[i] = (i * 29 + 3) & 63;
  unsigned char data[2000];
  for (int i = 0; i < 2000; i++) data[i] = (unsigned char)(i * 31);
  long sum = 0;
  for (int n = 1; n <= 2000; n++) sum += route(crc(data, n % 300 + 1));
  printf("%ld\n", sum);
}
