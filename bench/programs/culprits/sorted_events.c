// A simulation that keeps its events in a sorted linked list.
// culprit: schedule, simulate
#include <stdio.h>
#include <stdlib.h>

typedef struct Event {
  struct Event *next;
  unsigned time;
  int kind;
} Event;

#ifdef REPAIRED
static Event *heap[65536];
static int size;
static void schedule(Event *e) {
  int i = ++size;
  for (; i > 1 && heap[i / 2]->time > e->time; i /= 2) heap[i] = heap[i / 2];
  heap[i] = e;
}
static Event *next_event(void) {
  Event *first = heap[1], *last = heap[size--];
  int i = 1;
  for (int c; (c = 2 * i) <= size; i = c) {
    if (c < size && heap[c + 1]->time < heap[c]->time) c++;
    if (last->time <= heap[c]->time) break;
    heap[i] = heap[c];
  }
  heap[i] = last;
  return first;
}
#else
static Event *events;
static void schedule(Event *e) {
  Event **at = &events;
  while (*at && (*at)->time <= e->time) at = &(*at)->next; // CULPRIT
  e->next = *at;
  *at = e;
}
static Event *next_event(void) {
  Event *e = events;
  events = e->next;
  return e;
}
#endif

static unsigned simulate(int customers, int steps) {
  unsigned state = 1, now = 0;
  for (int i = 0; i < customers; i++) {
    Event *e = malloc(sizeof *e);
    state = state * 1664525 + 1013904223;
    *e = (Event){NULL, state >> 16, i};
    schedule(e);
  }
  for (int i = 0; i < steps; i++) {
    Event *e = next_event();
    now = e->time;
    state = state * 1664525 + 1013904223;
    e->time = now + (state >> 16);
    schedule(e);
  }
  return now;
}

int main(void) { printf("%u\n", simulate(1000, 2000)); }
