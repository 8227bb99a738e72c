// An assembler in two passes whose labels are in a list; it is gone through to define one and to
// use one. culprit: find_label, define, value_of, pass
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096 };

struct label {
  struct label* next;
  char name[12];
  long address;
};

struct assembler {
#ifdef REPAIRED
  struct label* labels[BUCKETS];
#else
  struct label* labels;
#endif
  long at, checksum;
};

static struct label** list_of(struct assembler* as, const char* name) {
#ifdef REPAIRED
  unsigned hash = 0;
  for (; *name; name++)
    hash = 31 * hash + *name;
  return &as->labels[hash % BUCKETS];
#else
  (void)name;
  return &as->labels;
#endif
}

static struct label* find_label(struct assembler* as, const char* name) {
  struct label* label = *list_of(as, name);
  while (label && strcmp(label->name, name)) // CULPRIT
    label = label->next;
  return label;
}

static struct label* define(struct assembler* as, const char* name) {
  struct label* label = find_label(as, name);
  if (!label) {
    struct label** list = list_of(as, name);
    label = malloc(sizeof *label);
    label->next = *list;
    strcpy(label->name, name);
    *list = label;
  }
  return label;
}

static long value_of(struct assembler* as, const char* name) {
  const struct label* label = find_label(as, name);
  return label ? label->address : 0;
}

static int is_near(struct assembler* as, const char* name) {
  const struct label* label = find_label(as, name);
  return label && labs(label->address - as->at) < 128;
}

static void statement(struct assembler* as, const char* line) {
  char name[12];
  const char* colon = strchr(line, ':');
  const char* equals = strchr(line, '=');
  if (equals) {
    memcpy(name, line, equals - line);
    name[equals - line] = '\0';
    define(as, name)->address = value_of(as, equals + 1);
  } else if (colon) {
    memcpy(name, line, colon - line);
    name[colon - line] = '\0';
    define(as, name)->address = as->at;
  } else {
    as->checksum = 31 * as->checksum + value_of(as, line + 5);
    as->at += is_near(as, line + 5) ? 2 : 3;
  }
}

static void pass(struct assembler* as, const char* text) {
  as->at = 0x800;
  for (const char* end; (end = strchr(text, '\n')); text = end + 1) {
    char line[32];
    memcpy(line, text, end - text);
    line[end - text] = '\0';
    statement(as, line);
  }
}

int main(void) {
  enum { LABELS = 700 };
  static struct assembler as;
  static char text[32 * LABELS + 1];
  int length = 0;
  for (int i = 0; i < LABELS; i++)
    length += sprintf(text + length, i % 5 ? "l%d:\njump l%d\n" : "l%d=l%d\n", i, i * 31 % LABELS);
  pass(&as, text);
  pass(&as, text);
  printf("%ld\n", as.checksum);
  return 0;
}
