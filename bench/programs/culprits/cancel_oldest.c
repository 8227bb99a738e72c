// Requests in a singly linked list; the oldest, at its end, are cancelled first.
// culprit: cancel, serve, drop
#include <stdio.h>
#include <stdlib.h>

typedef struct Request {
  int id;
  struct Request *next;
#ifdef REPAIRED
  struct Request *previous;
#endif
} Request;

static Request *head;

static Request *add(int id) {
  Request *made = calloc(1, sizeof *made);
  made->id = id;
  made->next = head;
#ifdef REPAIRED
  if (head) head->previous = made;
#endif
  return head = made;
}

static void cancel(Request *gone) {
#ifdef REPAIRED
  if (gone->previous) gone->previous->next = gone->next;
  else head = gone->next;
  if (gone->next) gone->next->previous = gone->previous;
#else
  Request **link = &head;
  while (*link != gone) link = &(*link)->next; // CULPRIT
  *link = gone->next;
#endif
  free(gone);
}

static long serve(int n) {
  Request **open = malloc((size_t)n * sizeof *open);
  long sum = 0;
  for (int i = 0; i < n; i++) open[i] = add(i);
  for (int i = 0; i < n; i++) {
    sum += open[i]->id * 3 % 17;
    cancel(open[i]);
  }
  free(open);
  return sum;
}

int main(void) {
  printf("%ld\n", serve(3000));
}
