// Two pieces of work, the first spawned, ordered in various ways; the argument selects one.
#include <cilk/cilk.h>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <string>
#include <thread>

static volatile long sum;

__attribute__((noinline)) static void work(long units) {
  for (long i = 0; i < 20000 * units; i++)
    sum = sum + i;
}

static void throws() {
  work(10);
  throw 1;
}

// A handler comes after the child that threw.
__attribute__((noinline)) static void child_throws() {
  try {
    cilk_spawn throws();
    cilk_sync;
  } catch (int) {
    work(10);
  }
}
// But not after the children of its function if it is the handler of an inlined function.
static inline int number(const char* text) {
  try {
    return std::stoi(text);
  } catch (const std::exception&) {
    return 0;
  }
}
__attribute__((noinline)) static void parent_catches() {
  cilk_spawn work(10);
  sum = sum + number("x");
  work(10);
  cilk_sync;
}

// A child, inlined or not, waits for another thread; its continuation is parallel to it.
static sem_t semaphore;
static inline void waits() { sem_wait(&semaphore); }
__attribute__((noinline)) static void waits_in_call() {
  sem_wait(&semaphore);
  asm volatile("");
}
template <typename Child> static void beside_wait(Child child) {
  sem_init(&semaphore, 0, 0);
  std::thread other([] {
    work(10);
    sem_post(&semaphore);
  });
  child();
  other.join();
}

// So does an inlined child that calls thread routines first. In parallel with each are 20 units.
template <typename Wait> static void works_after(Wait wait) {
  cilk_spawn[&] {
    wait();
    work(10);
  }
  ();
  work(20);
  cilk_sync;
}
static sem_t waiting;
static std::mutex mutex;
static std::condition_variable condition;
static bool ready;
static void beside_condition() {
  sem_init(&waiting, 0, 0);
  std::thread other([] {
    sem_wait(&waiting);
    work(10);
    const std::lock_guard<std::mutex> lock(mutex);
    ready = true;
    condition.notify_all();
  });
  works_after([] {
    std::unique_lock<std::mutex> lock(mutex);
    sem_post(&waiting);
    condition.wait(lock, [] { return ready; });
  });
  other.join();
}
static void* work_of_thread(void*) {
  work(20);
  return nullptr;
}
static void creates() {
  pthread_t other;
  works_after([&] { pthread_create(&other, nullptr, work_of_thread, nullptr); });
  pthread_join(other, nullptr);
}

// Each ends with a call of the other, which optimisers turn into a jump.
static void even(int n);
__attribute__((noinline)) static void odd(int n) {
  if (n > 0) {
    cilk_spawn work(1);
    even(n - 1);
  }
}
__attribute__((noinline)) static void even(int n) {
  if (n > 0) {
    cilk_spawn work(1);
    odd(n - 1);
  }
}

int main(int, char** arguments) {
  switch (std::atoi(arguments[1])) {
  case 0: child_throws(); break;
  case 1: parent_catches(); break;
  case 2:
    beside_wait([] {
      cilk_spawn waits();
      work(10);
      cilk_sync;
    });
    break;
  case 3:
    beside_wait([] {
      cilk_spawn waits_in_call();
      work(10);
      cilk_sync;
    });
    break;
  case 4: odd(20); break;
  case 5: beside_wait([] { works_after([] { sem_wait(&semaphore); }); }); break;
  case 6: beside_condition(); break;
  case 7: creates();
  }
}
