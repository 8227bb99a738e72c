// A query string; each parameter is added by formatting the text so far and the new one into a new
// text. culprit: add_parameter, query
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
  char* at;
  size_t length, room;
};

static void add_parameter(struct text* text, const char* key, int value) {
#ifdef REPAIRED
  if (text->length + 64 > text->room) {
    text->room = 2 * text->room + 64;
    text->at = realloc(text->at, text->room);
  }
  text->length +=
      snprintf(text->at + text->length, 64, "%s%s=%d", text->length ? "&" : "", key, value);
#else
  char* longer;
  if (asprintf(&longer, "%s%s%s=%d", text->at ? text->at : "", text->at ? "&" : "", key, value) <
      0) // CULPRIT
    abort();
  free(text->at);
  text->at = longer;
#endif
}

static size_t query(int parameters) {
  struct text text = {0};
  char key[16];
  for (int i = 0; i < parameters; i++) {
    snprintf(key, sizeof key, "key%d", i);
    add_parameter(&text, key, i * 31 % 1009);
  }
  size_t length = strlen(text.at);
  free(text.at);
  return length;
}

int main(void) {
  size_t sum = 0;
  for (int parameters = 50; parameters <= 1000; parameters += 50)
    sum += query(parameters);
  printf("%zu\n", sum);
}
