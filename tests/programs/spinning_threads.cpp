// Two threads of equal work. The second waits for the first in a loop of its own,
// or has a loop that only looks like waiting; the first argument selects which.
#include <atomic>
#include <chrono>
#include <cstring>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <thread>
#include <unistd.h>
#include <valgrind/cilkshadow.h>

constexpr long kRounds = 1000000; // more than a thread executes before the other gets its turn

static volatile long sum;
static std::atomic<int> flag, count;
static std::atomic_flag set;
static volatile int plain;
static struct Node { volatile int value; } node, * volatile pointer = &node;
static int builtin;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static const volatile char zeroes[100000] = {};

__attribute__((noinline)) void work(long rounds) {
  for (long i = 0; i < rounds; i++)
    sum += i;
}

// Posting lets no other thread run: the posting thread continues at once.
static void wait_for(sem_t& semaphore) {
  while (sem_trywait(&semaphore) != 0)
    usleep(1000);
}

template <typename One, typename Other> static void beside(One one, Other other) {
  static sem_t begins;
  std::thread second([other] {
    sem_post(&begins);
    other();
  });
  wait_for(begins);
  one();
  second.join();
}

template <typename Set, typename Wait> static void in_turns(Set set_flag, Wait wait) {
  beside(
      [set_flag] {
        work(kRounds);
        set_flag();
      },
      [wait] {
        wait();
        work(kRounds);
      });
}

static void set_atomic() { flag = 1; }
static void set_plain() { plain = 1; }

// `change` was executed before it looks, which the span does not contain.
template <typename Change, typename Look> static void after_all(Change change, Look look) {
  beside(
      [change] {
        change();
        set_plain();
      },
      [look] {
        CILKSHADOW_RUNTIME_BEGIN();
        while (plain == 0)
          sched_yield();
        CILKSHADOW_RUNTIME_END();
        look();
      });
}

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void set_and_signal() {
  work(kRounds);
  pthread_mutex_lock(&mutex);
  builtin = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&condition);
}

static void wait_for_condition() {
  pthread_mutex_lock(&mutex);
  while (builtin == 0)
    pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
}

static bool somebody_waits; // or is about to wait, and holds the mutex

static void until_somebody_waits() {
  CILKSHADOW_RUNTIME_BEGIN();
  for (bool seen = false; !seen;) {
    sched_yield();
    pthread_mutex_lock(&mutex);
    seen = somebody_waits;
    pthread_mutex_unlock(&mutex);
  }
  CILKSHADOW_RUNTIME_END();
}

static void set_late() {
  work(kRounds);
  set_atomic();
}

static void scan() {
  const volatile char* at = zeroes;
  while (at < zeroes + sizeof zeroes && *at == 0)
    at++;
}

static void count_by_pointer() {
  long i = 0;
  long* const at = &i;
  while (*at < 1000)
    i = *at + 1;
}

// A loop with a single repetition, because of the values in its registers at the start.
static void twice_at_most() {
  asm volatile("mov $8, %%ecx\n"
               "jmp 1f\n"
               "1: cmp $12, %%ecx\n"
               "je 2f\n"
               "mov $12, %%ecx\n"
               "cmpl $0, %0\n"
               "jne 2f\n"
               "jmp 1b\n"
               "2:"
               :
               : "m"(plain)
               : "ecx", "cc");
}

int main(int, char** arguments) {
  const auto is = [&](const char* name) { return std::strcmp(arguments[1], name) == 0; };
  if (is("none"))
    in_turns([] {}, [] {});
  else if (is("loads"))
    in_turns(set_atomic, [] {
      while (!flag.load()) {
      }
    });
  else if (is("either"))
    in_turns(set_atomic, [] {
      while (!flag.load() && plain == 0) {
      }
    });
  else if (is("pauses"))
    in_turns(set_atomic, [] {
      while (!flag.load())
        __builtin_ia32_pause();
    });
  else if (is("backs-off"))
    in_turns(set_atomic, [] {
      for (int pauses = 1; !flag.load(); pauses = pauses < 64 ? 2 * pauses : pauses)
        for (int i = 0; i < pauses; i++)
          __builtin_ia32_pause();
    });
  else if (is("yields"))
    in_turns(set_atomic, [] {
      while (!flag.load())
        std::this_thread::yield();
    });
  else if (is("sleeps"))
    in_turns(set_atomic, [] {
      while (!flag.load())
        std::this_thread::sleep_for(std::chrono::microseconds(10));
    });
  else if (is("flag"))
    in_turns([] { set.test_and_set(); },
             [] {
               while (!set.test()) {
               }
             });
  else if (is("counts"))
    beside(
        [] {
          count++;
          work(kRounds);
          count += 2;
        },
        [] {
          while (count.load() < 3)
            __builtin_ia32_pause();
          work(kRounds);
        });
  else if (is("joins")) {
    std::thread first([] {
      work(kRounds);
      set_plain();
    });
    while (plain == 0)
      sched_yield();
    first.join();
    work(kRounds);
  } else if (is("volatile"))
    in_turns(set_plain, [] {
      while (plain == 0) {
      }
    });
  else if (is("volatile-and-signals"))
    in_turns(set_plain, [] {
      while (plain == 0) {
      }
      pthread_cond_signal(&condition);
    });
  else if (is("volatile-pauses"))
    in_turns(set_plain, [] {
      while (plain == 0)
        __builtin_ia32_pause();
    });
  else if (is("volatile-yields"))
    in_turns(set_plain, [] {
      while (plain == 0)
        sched_yield();
    });
  else if (is("volatile-sleeps"))
    beside(
        [] {
          for (int i = 0; i < 5; i++) {
            work(kRounds / 5);
            usleep(5000); // the other thread wakes more than once
          }
          set_plain();
        },
        [] {
          while (plain == 0)
            usleep(10);
          work(kRounds);
        });
  else if (is("pointer"))
    in_turns([] { pointer->value = 1; },
             [] {
               while (pointer->value == 0) {
               }
             });
  else if (is("builtin"))
    in_turns([] { __atomic_store_n(&builtin, 1, __ATOMIC_RELEASE); },
             [] {
               while (__atomic_load_n(&builtin, __ATOMIC_ACQUIRE) == 0) {
               }
             });
  else if (is("exchanges")) {
    set.test_and_set();
    in_turns([] { set.clear(); },
             [] {
               while (set.test_and_set()) {
               }
             });
  } else if (is("twice")) {
    static sem_t again;
    beside(
        [] {
          plain = 1;
          wait_for(again);
          plain = 2;
        },
        [] {
          while (plain == 0) {
          }
          work(2000);
          sem_post(&again);
          while (plain == 1) {
          }
        });
  } else if (is("told"))
    in_turns(
        [] {
          CILKSHADOW_HAPPENS_BEFORE(&plain);
          set_plain();
        },
        [] {
          while (plain == 0) {
          }
          CILKSHADOW_HAPPENS_AFTER(&plain);
        });
  else if (is("task")) {
    CILKSHADOW_TASK_CREATE(&node);
    beside(
        [] {
          work(kRounds);
          set_plain();
        },
        [] {
          while (plain == 0) {
          }
          CILKSHADOW_TASK_BEGIN(&node);
          work(kRounds);
          CILKSHADOW_TASK_END(&node);
        });
  } else if (is("runtime"))
    in_turns(set_plain, [] {
      CILKSHADOW_RUNTIME_BEGIN();
      while (plain == 0)
        sched_yield();
      CILKSHADOW_RUNTIME_END();
    });
  else if (is("finds"))
    after_all(set_late, [] {
      while (!flag.load()) {
      }
      work(kRounds);
    });
  else if (is("finds-twice"))
    after_all(set_late, [] {
      for (int i = 0; i < 2; i++) {
        while (!flag.load()) {
        }
        work(kRounds / 10);
      }
    });
  else if (is("finds-signalled"))
    after_all(set_and_signal, [] {
      wait_for_condition();
      work(kRounds);
    });
  else if (is("finds-signalled-for-another")) {
    std::thread another([] {
      pthread_mutex_lock(&mutex);
      somebody_waits = true;
      while (builtin == 0)
        pthread_cond_wait(&condition, &mutex);
      pthread_mutex_unlock(&mutex);
    });
    until_somebody_waits();
    after_all(set_and_signal, [] {
      wait_for_condition();
      work(kRounds);
    });
    another.join();
  } else if (is("finds-broadcast"))
    after_all(
        [] {
          work(kRounds);
          pthread_mutex_lock(&mutex);
          builtin = 1;
          pthread_cond_broadcast(&condition);
          pthread_mutex_unlock(&mutex);
        },
        [] {
          wait_for_condition();
          work(kRounds);
        });
  else if (is("finds-signalled-sooner"))
    after_all(set_and_signal, [] {
      work(2 * kRounds);
      wait_for_condition();
    });
  else if (is("finds-and-signals"))
    after_all(set_and_signal, [] {
      pthread_mutex_lock(&mutex);
      builtin++;
      pthread_mutex_unlock(&mutex);
      pthread_cond_signal(&condition);
    });
  else if (is("finds-and-waits")) {
    beside(
        [] {
          set_and_signal();
          set_plain();
          until_somebody_waits();
          pthread_mutex_lock(&mutex);
          builtin = 2;
          pthread_cond_signal(&condition);
          pthread_mutex_unlock(&mutex);
        },
        [] {
          CILKSHADOW_RUNTIME_BEGIN();
          while (plain == 0)
            sched_yield();
          CILKSHADOW_RUNTIME_END();
          pthread_mutex_lock(&mutex);
          work(2000);
          somebody_waits = true;
          while (builtin < 2)
            pthread_cond_wait(&condition, &mutex);
          pthread_mutex_unlock(&mutex);
          work(kRounds);
        });
  } else if (is("finds-sooner"))
    after_all(set_atomic, [] {
      work(kRounds);
      while (!flag.load()) {
      }
    });
  else if (is("finds-and-swaps"))
    after_all(set_late, [] {
      int found = flag.load();
      while (!flag.compare_exchange_weak(found, found + 1)) {
      }
    });
  else if (is("finds-and-stores"))
    after_all(set_late, [] {
      if (flag.load() < 2)
        flag.store(2, std::memory_order_release);
    });
  else if (is("finds-and-joins")) {
    std::thread first([] {
      set_late();
      set_plain();
    });
    CILKSHADOW_RUNTIME_BEGIN();
    while (plain == 0)
      sched_yield();
    CILKSHADOW_RUNTIME_END();
    while (!flag.load()) {
    }
    first.join();
    work(kRounds);
  } else if (is("locks")) {
    pthread_mutex_lock(&mutex);
    in_turns([] { pthread_mutex_unlock(&mutex); },
             [] {
               while (pthread_mutex_trylock(&mutex) != 0)
                 sched_yield();
             });
  } else if (is("locks-shared")) {
    pthread_rwlock_wrlock(&rwlock);
    in_turns([] { pthread_rwlock_unlock(&rwlock); },
             [] {
               while (pthread_rwlock_tryrdlock(&rwlock) != 0)
                 sched_yield();
             });
  } else if (is("works"))
    beside([] { work(kRounds); },
           [] {
             for (int i = 0; i < 10; i++)
               scan();
             count_by_pointer();
             for (int i = 0; i < 100; i++)
               twice_at_most();
             for (long i = 0; plain == 0 && i < kRounds; i++) {
             }
             usleep(10);
             work(kRounds);
           });
}
