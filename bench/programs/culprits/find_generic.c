// A small library of lists of anything, with a function that finds by a predicate; users are joined
// to their groups. culprit: list_find, group_of, has_number, join
#include <stdio.h>
#include <stdlib.h>

struct item {
  void* value;
  struct item* next;
};

struct list {
  struct item *first, **last;
};

typedef int (*predicate)(const void* value, const void* context);

static void list_add(struct list* list, void* value) {
  struct item* item = malloc(sizeof *item);
  *item = (struct item){value, NULL};
  *list->last = item;
  list->last = &item->next;
}

static void* list_find(const struct list* list, predicate is_it, const void* context) {
  for (const struct item* item = list->first; item; item = item->next) // CULPRIT
    if (is_it(item->value, context))
      return item->value;
  return NULL;
}

struct group {
  int number, members;
};

static int has_number(const void* value, const void* context) {
  return ((const struct group*)value)->number == *(const int*)context;
}

#ifdef REPAIRED
static struct group** by_number;
#endif

static struct group* group_of(const struct list* groups, int user) {
  int number = user * 13;
#ifdef REPAIRED
  (void)groups;
  return by_number[number / 13];
#else
  return list_find(groups, has_number, &number);
#endif
}

static long join(int users) {
  struct list groups = {NULL, &groups.first};
#ifdef REPAIRED
  by_number = malloc(users * sizeof *by_number);
#endif
  for (int i = 0; i < users; i++) {
    struct group* group = malloc(sizeof *group);
    *group = (struct group){i * 13, 0};
    list_add(&groups, group);
#ifdef REPAIRED
    by_number[i] = group;
#endif
  }
  long found = 0;
  for (int user = 0; user < users; user++) {
    struct group* group = group_of(&groups, user * 7 % users);
    found += group && ++group->members;
  }
  return found;
}

int main(void) {
  long sum = 0;
  for (int users = 100; users <= 1500; users += 100)
    sum += join(users);
  printf("%ld\n", sum);
}
