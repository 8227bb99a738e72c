// An event loop with callbacks; the timer that is due next is looked for among all.
// culprit: next_due, run_once, run
#include <stdio.h>
#include <stdlib.h>

struct loop;
typedef void (*callback)(struct loop* loop, void* context);

struct timer {
  long due;
  callback call;
  void* context;
};

struct loop {
  struct timer* timers;
  int number;
  long now;
};

static void sift_down(struct loop* loop, int at) {
  struct timer* t = loop->timers;
  for (int child; (child = 2 * at + 1) < loop->number; at = child) {
    if (child + 1 < loop->number && t[child + 1].due < t[child].due)
      child++;
    if (t[at].due <= t[child].due)
      return;
    struct timer kept = t[at];
    t[at] = t[child];
    t[child] = kept;
  }
}

static struct timer* next_due(struct loop* loop) {
#ifdef REPAIRED
  return &loop->timers[0];
#else
  struct timer* next = &loop->timers[0];
  for (int i = 1; i < loop->number; i++) // CULPRIT
    if (loop->timers[i].due < next->due)
      next = &loop->timers[i];
  return next;
#endif
}

struct client {
  long period, ticks;
};

static void tick(struct loop* loop, void* context) {
  struct client* client = context;
  client->ticks += loop->now & 3;
}

static void run_once(struct loop* loop) {
  struct timer* timer = next_due(loop);
  loop->now = timer->due;
  timer->call(loop, timer->context);
  timer->due += ((struct client*)timer->context)->period;
#ifdef REPAIRED
  sift_down(loop, 0);
#endif
}

static long run(int clients) {
  struct loop loop = {malloc(clients * sizeof *loop.timers), clients, 0};
  struct client* client = malloc(clients * sizeof *client);
  for (int i = 0; i < clients; i++) {
    client[i] = (struct client){50 + i * 37 % 101, 0};
    loop.timers[i] = (struct timer){client[i].period, tick, &client[i]};
  }
  for (int i = clients; i-- > 0;)
    sift_down(&loop, i);
  for (int events = 0; events < 2 * clients; events++)
    run_once(&loop);
  long sum = 0;
  for (int i = 0; i < clients; i++)
    sum += client[i].ticks;
  free(client);
  free(loop.timers);
  return sum;
}

int main(void) {
  long sum = 0;
  for (int clients = 100; clients <= 1500; clients += 100)
    sum += run(clients);
  printf("%ld\n", sum);
}
