// An editor's buffer with a gap where the cursor is; the cursor wanders.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char *text;
  size_t size, begin, end; // of the gap
} Buffer;

static void insert(Buffer *b, char c) {
  if (b->begin == b->end) {
    size_t more = b->size;
    b->text = realloc(b->text, b->size + more);
    memmove(b->text + b->end + more, b->text + b->end, b->size - b->end);
    b->end += more;
    b->size += more;
  }
  b->text[b->begin++] = c;
}

static void move(Buffer *b, int by) {
  for (; by > 0 && b->end < b->size; by--) b->text[b->begin++] = b->text[b->end++];
  for (; by < 0 && b->begin > 0; by++) b->text[--b->end] = b->text[--b->begin];
}

static size_t edit(int letters) {
  Buffer b = {malloc(64), 64, 0, 64};
  for (int i = 0; i < letters; i++) {
    insert(&b, (char)('a' + i % 26));
    if (i % 50 == 0) move(&b, i % 300 - 150);
  }
  size_t words = 0;
  for (size_t i = 0; i < b.size; i++) words += (i < b.begin || i >= b.end) && b.text[i] == 'a';
  free(b.text);
  return words;
}

int main(void) {
  size_t sum = 0;
  for (int letters = 2000; letters <= 20000; letters += 2000) sum += edit(letters);
  printf("%zu\n", sum);
}
