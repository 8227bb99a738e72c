// Threads that take turns by a mutex and a condition, in the way that the first argument names: each
// works in parallel first, and then in its turn, holding the mutex. So the span is the work of the
// first one and all turns. Or threads that signal conditions without taking turns, for comparison.
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <threads.h>
#include <unistd.h>
#include <vector>

constexpr long kOwn = 3000, kTurn = 20000;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t of_log = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static mtx_t c_mutex;
static cnd_t c_condition;
static std::mutex cxx_mutex;
static std::condition_variable cxx_condition;
static long turn, threads, rounds;
static const char* how;

static bool is(const char* name) { return std::strcmp(how, name) == 0; }

__attribute__((noinline)) static void work(long instructions) {
  instructions /= 2;
  __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(instructions) : : "cc");
}

__attribute__((noinline)) static void begin_turn(long me) {
  pthread_mutex_lock(&mutex);
  while (turn != me)
    pthread_cond_wait(&condition, &mutex);
}

__attribute__((noinline)) static int wait_by_tail_call() {
  return pthread_cond_wait(&condition, &mutex);
}

__attribute__((noinline)) static void begin_turn_by_tail_call(long me) {
  pthread_mutex_lock(&mutex);
  while (turn != me)
    wait_by_tail_call();
}

__attribute__((noinline)) static void end_turn() {
  turn = (turn + 1) % threads;
  if (is("other-lock")) { // the latest one that was acquired is another lock
    pthread_mutex_lock(&of_log);
    pthread_mutex_unlock(&of_log);
  }
  if (is("unlocked")) {
    pthread_mutex_unlock(&mutex);
    pthread_cond_broadcast(&condition);
  } else {
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
  }
}

__attribute__((noinline)) static void take_turn_of_c(long me) {
  mtx_lock(&c_mutex);
  while (turn != me)
    cnd_wait(&c_condition, &c_mutex);
  work(kTurn);
  turn = (turn + 1) % threads;
  cnd_broadcast(&c_condition);
  mtx_unlock(&c_mutex);
}

__attribute__((noinline)) static void take_turn_of_cxx(long me) {
  std::unique_lock<std::mutex> lock(cxx_mutex);
  cxx_condition.wait(lock, [me] { return turn == me; });
  work(kTurn);
  turn = (turn + 1) % threads;
  cxx_condition.notify_all();
}

static void take_turns(long me) {
  for (long i = 0; i < rounds; i++) {
    work(kOwn * (me + 1));
    if (is("c11"))
      take_turn_of_c(me);
    else if (is("c++"))
      take_turn_of_cxx(me);
    else {
      (is("tail-call") ? begin_turn_by_tail_call : begin_turn)(me);
      work(kTurn);
      end_turn();
    }
  }
}

// A barrier. In each round another thread has much to do, and arrives either first or last.
static long arrived, round_;

__attribute__((noinline)) static void meet() {
  pthread_mutex_lock(&mutex);
  const long before = round_;
  if (++arrived == threads) {
    arrived = 0;
    round_++;
    if (is("meets-unlocked")) {
      pthread_mutex_unlock(&mutex);
      pthread_cond_broadcast(&condition);
      return;
    }
    pthread_cond_broadcast(&condition);
  } else {
    while (round_ == before)
      pthread_cond_wait(&condition, &mutex);
  }
  pthread_mutex_unlock(&mutex);
}

// Through this number of nested calls.
template <int kCalls>
__attribute__((noinline)) static void wait_for_next(std::unique_lock<std::mutex>& lock, long round) {
  if constexpr (kCalls > 1)
    wait_for_next<kCalls - 1>(lock, round);
  else
    cxx_condition.wait(lock, [round] { return round_ != round; });
  __asm__ volatile(""); // no tail call
}

__attribute__((noinline)) static void meet_in_cxx() {
  std::unique_lock<std::mutex> lock(cxx_mutex);
  const long before = round_;
  if (++arrived == threads) {
    arrived = 0;
    round_++;
    cxx_condition.notify_all();
  } else if (is("meets-c++-below")) {
    wait_for_next<6>(lock, before); // the depth of the search for waits
  } else {
    cxx_condition.wait(lock, [before] { return round_ != before; });
  }
}

static bool is_in_cxx() { return std::strncmp(how, "meets-c++", 9) == 0; }

static long arrivals() {
  pthread_mutex_t* const of_barrier = is_in_cxx() ? cxx_mutex.native_handle() : &mutex;
  pthread_mutex_lock(of_barrier);
  const long result = round_ * threads + arrived;
  pthread_mutex_unlock(of_barrier);
  return result;
}

static void take_part(long me) {
  for (long i = 0; i < rounds; i++) {
    const bool has_much = i % threads == me;
    work(has_much ? kTurn : kOwn);
    if (has_much == is("meets-last"))
      while (arrivals() < i * threads + (has_much ? threads - 1 : 1))
        usleep(100);
    if (is_in_cxx())
      meet_in_cxx();
    else
      meet();
  }
}

// Adds to what another thread may wait for, but waits for nobody.
static long added;

static void add(long me) {
  for (long i = 0; i < rounds; i++) {
    work(kOwn * (threads - me));
    pthread_mutex_lock(&mutex);
    added++;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&condition);
  }
}

// Takes numbers that were there before the threads, as long as there
// are any, and reports each that is done. Waits for more in the end.
static long left, finished, idle;
static bool closed;

static void serve(long me) {
  pthread_mutex_lock(&mutex);
  for (;;) {
    for (idle++; left == 0 && !closed;)
      pthread_cond_wait(&condition, &mutex);
    idle--;
    if (left == 0)
      break;
    left--;
    pthread_mutex_unlock(&mutex);
    work(kTurn * (threads - me));
    usleep(1);
    pthread_mutex_lock(&mutex);
    finished++;
    pthread_cond_signal(&done);
  }
  pthread_mutex_unlock(&mutex);
}

// Holds the mutex, so that it waits before anybody serves.
static void close_when_idle() {
  while (finished < threads * rounds)
    pthread_cond_wait(&done, &mutex);
  while (idle < threads) {
    pthread_mutex_unlock(&mutex);
    usleep(1000);
    pthread_mutex_lock(&mutex);
  }
  closed = true;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
}

int main(int, char** arguments) {
  how = arguments[1];
  threads = std::atol(arguments[2]);
  rounds = std::atol(arguments[3]);
  mtx_init(&c_mutex, mtx_plain);
  cnd_init(&c_condition);
  left = threads * rounds;
  std::vector<std::thread> all;
  if (is("pool"))
    pthread_mutex_lock(&mutex);
  for (long me = 0; me < threads; me++)
    all.emplace_back(is("adds")                           ? add
                     : is("pool")                         ? serve
                     : std::strncmp(how, "meets", 5) == 0 ? take_part
                                                          : take_turns,
                     me);
  if (is("pool"))
    close_when_idle();
  for (std::thread& thread : all)
    thread.join();
}
