// Receives a message in chunks; the checksum of all that has arrived is computed after each.
// culprit: crc, receive, update
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t crc(uint32_t from, const uint8_t* data, size_t length) {
  uint32_t sum = ~from;
  for (size_t i = 0; i < length; i++) { // CULPRIT
    sum ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      sum = sum & 1 ? sum >> 1 ^ 0xEDB88320u : sum >> 1;
  }
  return ~sum;
}

struct message {
  uint8_t* data;
  size_t length, room;
  uint32_t check;
};

static void receive(struct message* m, const uint8_t* chunk, size_t length) {
  if (m->length + length > m->room) {
    m->room = 2 * m->room + length;
    m->data = realloc(m->data, m->room);
  }
  memcpy(m->data + m->length, chunk, length);
  m->length += length;
#ifdef REPAIRED
  m->check = crc(m->check, chunk, length);
#else
  m->check = crc(0, m->data, m->length);
#endif
}

static uint32_t transfer(int chunks) {
  struct message m = {0};
  uint8_t chunk[48];
  for (int i = 0; i < chunks; i++) {
    for (size_t k = 0; k < sizeof chunk; k++)
      chunk[k] = i * 7 + k;
    receive(&m, chunk, sizeof chunk);
  }
  free(m.data);
  return m.check;
}

int main(void) {
  uint32_t all = 0;
  for (int chunks = 10; chunks <= 150; chunks += 10)
    all ^= transfer(chunks);
  printf("%08x\n", all);
}
