// n_body THREADS BODIES STEPS: all pairs attract; pthreads that share the bodies out, with a barrier
// between forces and moves.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  double x, y, z, mass, vx, vy, vz;
} Body;

static Body* bodies;
static long threads, count, steps;
static pthread_barrier_t all_here;

static __attribute__((noinline)) void accelerate(Body* body) {
  for (const Body* other = bodies; other < bodies + count; other++) {
    const double dx = other->x - body->x, dy = other->y - body->y, dz = other->z - body->z;
    const double square = dx * dx + dy * dy + dz * dz + 1e-3;
    const double pull = other->mass / (square * sqrt(square)) * 1e-4;
    body->vx += dx * pull;
    body->vy += dy * pull;
    body->vz += dz * pull;
  }
}

static void* work(void* number) {
  const long first = (long)number * count / threads, end = ((long)number + 1) * count / threads;
  for (long step = 0; step < steps; step++) {
    for (long i = first; i < end; i++)
      accelerate(&bodies[i]);
    pthread_barrier_wait(&all_here);
    for (long i = first; i < end; i++) {
      bodies[i].x += bodies[i].vx;
      bodies[i].y += bodies[i].vy;
      bodies[i].z += bodies[i].vz;
    }
    pthread_barrier_wait(&all_here);
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc != 4)
    return 2;
  threads = atol(argv[1]);
  count = atol(argv[2]);
  steps = atol(argv[3]);
  bodies = calloc((size_t)count, sizeof *bodies);
  unsigned seed = 1;
  for (long i = 0; i < count; i++) {
    double* at[] = {&bodies[i].x, &bodies[i].y, &bodies[i].z, &bodies[i].mass};
    for (int k = 0; k < 4; k++)
      *at[k] = (seed = seed * 1664525u + 1013904223u) / 4294967296.0;
  }
  pthread_barrier_init(&all_here, NULL, (unsigned)threads);
  pthread_t id[threads];
  for (long i = 0; i < threads; i++)
    pthread_create(&id[i], NULL, work, (void*)i);
  for (long i = 0; i < threads; i++)
    pthread_join(id[i], NULL);
  printf("%.9f\n", bodies[0].x);
  free(bodies);
  return 0;
}
