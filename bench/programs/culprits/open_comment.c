// Splits a template into tags; for a tag that is not closed, the rest of the text is searched each time.
// culprit: tag_end, count_tags, strstr
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *tag_end(const char *from) {
#ifdef REPAIRED
  static const char *none;
  if (none && from > none) return NULL;
  const char *found = strstr(from, "}}");
  if (!found) none = from;
  return found;
#else
  return strstr(from, "}}"); // CULPRIT
#endif
}

static int count_tags(const char *text) {
  int tags = 0, braces = 0;
  while (*text) {
    if (text[0] == '{' && text[1] == '{') {
      const char *end = tag_end(text + 2);
      if (end) {
        tags++;
        text = end + 2;
        continue;
      }
      braces++;
    }
    text++;
  }
  return tags * 1000 + braces;
}

int main(void) {
  char *text = malloc(200000), *to = text;
  for (int i = 0; i < 20; i++) to += sprintf(to, "Hello {{name}}, you owe {{sum}}. ");
  for (int i = 0; i < 2500; i++) to += sprintf(to, "{{field%d ", i);
  printf("%d\n", count_tags(text));
}
