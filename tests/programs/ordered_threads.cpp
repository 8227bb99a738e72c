// Two threads that work 100,000 rounds each, ordered as the first
// argument says; with locks, they must alternate for half of it.
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <future>
#include <linux/futex.h>
#include <mqueue.h>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <string>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <thread>
#include <threads.h>
#include <unistd.h>
#include <vector>

static volatile long sum;
static std::mutex mutex;
static std::condition_variable condition;
static bool waits;
static bool ready;
static sem_t semaphore;
static pthread_barrier_t barrier;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static std::recursive_mutex recursive;
static pthread_spinlock_t spinlock;
static mtx_t c_mutex;
static cnd_t c_condition;
static int word, another_word;

__attribute__((noinline)) void work(long rounds) {
  for (long i = 0; i < rounds; i++)
    sum += i;
}

template <typename One, typename Other> static void beside(One one, Other other) {
  std::thread a(one), b(other);
  a.join();
  b.join();
}

// What two threads do: the first works before something, the second behind it, and the first has
// ended when the second begins.
template <typename F> static void one_after_the_other(F work_around) {
  std::thread first(work_around, 100000, 1);
  usleep(1000000); // until it has ended
  std::thread second(work_around, 1, 100000);
  first.join();
  second.join();
}

static void in_turns() {
  work(50000);
  std::lock_guard<std::mutex> lock(mutex);
  work(50000);
}

static void writing() {
  work(50000);
  pthread_rwlock_wrlock(&rwlock);
  work(50000);
  pthread_rwlock_unlock(&rwlock);
}

static void reading() {
  pthread_rwlock_rdlock(&rwlock);
  work(100000);
  pthread_rwlock_unlock(&rwlock);
}

static void in_turns_twice() {
  work(50000);
  std::lock_guard<std::recursive_mutex> lock(recursive);
  work(20000);
  {
    std::lock_guard<std::recursive_mutex> again(recursive);
    work(10000);
  }
  work(20000);
}

static void spinning() {
  work(50000);
  pthread_spin_lock(&spinlock);
  work(50000);
  pthread_spin_unlock(&spinlock);
}

static int in_turns_of_c(void*) {
  work(50000);
  mtx_lock(&c_mutex);
  work(50000);
  mtx_unlock(&c_mutex);
  return 0;
}

static int waiting_in_c(void*) {
  mtx_lock(&c_mutex);
  waits = true;
  while (!ready)
    cnd_wait(&c_condition, &c_mutex);
  mtx_unlock(&c_mutex);
  work(100000);
  return 0;
}

// One long half, then a short one, or vice versa: with the barrier, one long half after the other.
static void in_step(long first, long second) {
  work(first);
  pthread_barrier_wait(&barrier);
  work(second);
}

// Another thread uses the memory of a mutex and a condition after
// one thread has, for which it does not wait in any visible way.
static pthread_mutex_t used_again = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t signalled_again = PTHREAD_COND_INITIALIZER;
static volatile bool was_used;

static void uses_first() {
  pthread_mutex_lock(&used_again);
  work(100000);
  pthread_mutex_unlock(&used_again);
  pthread_cond_signal(&signalled_again);
  was_used = true;
}

static void uses_again(bool waiting) {
  while (!was_used)
    usleep(1000);
  pthread_mutex_init(&used_again, nullptr);
  pthread_cond_init(&signalled_again, nullptr);
  pthread_mutex_lock(&used_again);
  waits = true;
  while (waiting && !ready)
    pthread_cond_wait(&signalled_again, &used_again);
  if (!waiting)
    work(100000);
  pthread_mutex_unlock(&used_again);
  if (waiting)
    work(100000);
}

// Works, then sends a message, after which another thread works.
template <typename Send, typename Receive> static void work_and_send(Send send, Receive receive) {
  std::thread waiting([=] {
    receive();
    work(100000);
  });
  work(100000);
  send();
  waiting.join();
}

// Works, then wakes the thread that waits at the word, as soon as one does.
static void work_and_wake(int operation) {
  std::thread waiting([] {
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, nullptr);
    work(100000);
  });
  work(100000);
  while (syscall(SYS_futex, &word, operation, 1, 0, &another_word, 0) == 0)
    usleep(1000);
  waiting.join();
}

static void post_to_waiting(sem_t* to) {
  std::thread waiting([=] {
    sem_wait(to);
    work(100000);
  });
  work(100000);
  sem_post(to);
  waiting.join();
}

int main(int, char** arguments) {
  const auto is = [&](const char* name) { return strcmp(arguments[1], name) == 0; };
  if (is("join")) {
    std::thread a(work, 100000);
    a.join();
    std::thread b(work, 100000);
    b.join();
  } else if (is("none")) {
    beside([] { work(100000); }, [] { work(100000); });
  } else if (is("async")) {
    auto a = std::async(std::launch::async, work, 100000);
    work(100000);
    a.get();
  } else if (is("mutex")) {
    beside(in_turns, in_turns);
  } else if (is("rwlock")) {
    beside(writing, writing);
  } else if (is("readers")) {
    beside(reading, reading);
  } else if (is("recursive")) {
    beside(in_turns_twice, in_turns_twice);
  } else if (is("spin")) {
    pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
    beside(spinning, spinning);
  } else if (is("c-mutex")) {
    thrd_t a, b;
    mtx_init(&c_mutex, mtx_plain);
    thrd_create(&a, in_turns_of_c, nullptr);
    thrd_create(&b, in_turns_of_c, nullptr);
    thrd_join(a, nullptr);
    thrd_join(b, nullptr);
  } else if (is("c-condition")) {
    thrd_t waiting;
    mtx_init(&c_mutex, mtx_plain);
    cnd_init(&c_condition);
    thrd_create(&waiting, waiting_in_c, nullptr);
    work(100000);
    for (bool signalled = false; !signalled; thrd_yield()) {
      mtx_lock(&c_mutex);
      signalled = ready = waits;
      mtx_unlock(&c_mutex);
    }
    cnd_signal(&c_condition);
    thrd_join(waiting, nullptr);
  } else if (is("mutex-again")) {
    beside(uses_first, [] { uses_again(false); });
  } else if (is("mutex-of-another")) { // a thread that does not hold it cannot release it
    static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    beside(
        [] {
          pthread_mutex_lock(&checking);
          waits = true;
          work(100000);
          pthread_mutex_unlock(&checking);
        },
        [] {
          while (!*const_cast<volatile bool*>(&waits))
            usleep(1000);
          pthread_mutex_unlock(&checking);
          work(100000);
        });
  } else if (is("mutex-destroyed")) {
    beside(uses_first, [] {
      while (!was_used)
        usleep(1000);
      pthread_mutex_destroy(&used_again);
      used_again = PTHREAD_MUTEX_INITIALIZER;
      uses_first();
    });
  } else if (is("mutex-freed")) {
    static std::mutex* on_heap = new std::mutex;
    static const auto uses = [] {
      std::lock_guard<std::mutex> lock(*on_heap);
      work(100000);
    };
    beside(
        [] {
          uses();
          was_used = true;
        },
        [] {
          while (!was_used)
            usleep(1000);
          delete on_heap;
          on_heap = new std::mutex;
          uses();
        });
  } else if (is("condition-again")) {
    std::thread a(uses_first), b(uses_again, true);
    for (bool signalled = false; !signalled; usleep(1000)) {
      pthread_mutex_lock(&used_again);
      signalled = ready = waits;
      pthread_mutex_unlock(&used_again);
    }
    pthread_cond_signal(&signalled_again);
    a.join();
    b.join();
  } else if (is("condition")) {
    std::thread waiting([] {
      {
        std::unique_lock<std::mutex> lock(mutex);
        waits = true;
        condition.wait(lock, [] { return ready; });
      }
      work(100000);
    });
    work(100000);
    for (bool signalled = false; !signalled; std::this_thread::yield()) {
      std::lock_guard<std::mutex> lock(mutex);
      signalled = ready = waits;
    }
    condition.notify_one();
    waiting.join();
  } else if (is("condition-turns")) { // three threads that all wait for their turn at one condition
    static int waiting, turn = -1;
    std::vector<std::thread> threads;
    for (int me = 0; me < 3; me++)
      threads.emplace_back([me] {
        std::unique_lock<std::mutex> lock(mutex);
        waiting++;
        for (int round = 0; round < 10; round++) {
          condition.wait(lock, [me] { return turn == me; });
          work(10000);
          turn = (turn + 1) % 3;
          condition.notify_all();
        }
      });
    for (bool begun = false; !begun; std::this_thread::yield()) {
      std::lock_guard<std::mutex> lock(mutex);
      begun = waiting == 3;
    }
    {
      std::lock_guard<std::mutex> lock(mutex);
      turn = 0;
      condition.notify_all();
    }
    for (std::thread& thread : threads)
      thread.join();
  } else if (is("condition-destroyed")) { // before the woken thread has continued
    pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
    std::thread waiting([&] {
      {
        std::lock_guard<std::mutex> lock(mutex);
        for (waits = true; !ready;)
          pthread_cond_wait(&woken, mutex.native_handle());
      }
      work(100000);
    });
    work(100000);
    mutex.lock();
    for (; !waits; mutex.lock()) {
      mutex.unlock();
      usleep(1000);
    }
    ready = true;
    pthread_cond_broadcast(&woken);
    pthread_cond_destroy(&woken);
    mutex.unlock();
    waiting.join();
  } else if (is("condition-gate")) { // one opens it for two, which work with the mutex
    auto passes = [] {
      std::unique_lock<std::mutex> lock(mutex);
      condition.wait(lock, [] { return ready; });
      work(100000);
    };
    std::thread a(passes), b(passes);
    usleep(200000);
    {
      std::lock_guard<std::mutex> lock(mutex);
      ready = true;
      condition.notify_all();
    }
    a.join();
    b.join();
  } else if (is("condition-unheard")) { // one signals while nobody waits, another one later
    std::thread([] {
      work(100000);
      condition.notify_one();
    }).detach();
    std::thread waiting([] {
      usleep(200000);
      {
        std::unique_lock<std::mutex> lock(mutex);
        waits = true;
        condition.wait(lock, [] { return ready; });
      }
      work(100000);
    });
    for (bool signalled = false; !signalled; usleep(1000)) {
      std::lock_guard<std::mutex> lock(mutex);
      signalled = ready = waits;
    }
    condition.notify_one();
    waiting.join();
  } else if (is("condition-at-exit")) { // by a thread that continues to work after requesting it
    std::thread notifying([] {
      work(50000);
      std::unique_lock<std::mutex> lock(mutex);
      for (; !waits; lock.lock()) {
        lock.unlock();
        usleep(1000);
      }
      ready = true;
      std::notify_all_at_thread_exit(condition, std::move(lock));
      work(50000);
    });
    {
      std::unique_lock<std::mutex> lock(mutex);
      waits = true;
      condition.wait(lock, [] { return ready; });
    }
    work(100000);
    notifying.join();
  } else if (is("condition-cancelled")) { // one waits forever, in parallel with one that works
    std::thread waiting([] {
      std::unique_lock<std::mutex> lock(mutex);
      for (;;)
        condition.wait(lock);
    });
    std::thread working(work, 100000);
    work(100000);
    usleep(200000);
    pthread_cancel(waiting.native_handle());
    waiting.join();
    working.join();
  } else if (is("condition-of-process")) { // another process signals it
    struct Shared {
      pthread_mutex_t mutex;
      pthread_cond_t condition;
      bool ready;
    };
    auto* const shared = static_cast<Shared*>(
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    pthread_mutexattr_t of_mutex;
    pthread_mutexattr_init(&of_mutex);
    pthread_mutexattr_setpshared(&of_mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->mutex, &of_mutex);
    pthread_condattr_t of_condition;
    pthread_condattr_init(&of_condition);
    pthread_condattr_setpshared(&of_condition, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&shared->condition, &of_condition);
    pthread_mutex_lock(&shared->mutex);
    if (fork() == 0) {
      pthread_mutex_lock(&shared->mutex);
      shared->ready = true;
      pthread_cond_signal(&shared->condition);
      pthread_mutex_unlock(&shared->mutex);
      return 0;
    }
    while (!shared->ready)
      pthread_cond_wait(&shared->condition, &shared->mutex);
  } else if (is("semaphore")) {
    sem_init(&semaphore, 0, 0);
    post_to_waiting(&semaphore);
  } else if (is("semaphore-again")) { // what one had left does not belong to the other
    sem_init(&semaphore, 0, 0);
    std::thread([] { sem_post(&semaphore); }).join();
    sem_destroy(&semaphore);
    sem_init(&semaphore, 0, 0);
    post_to_waiting(&semaphore);
  } else if (is("semaphore-opened")) { // one thread need not wait for the other
    sem_t* const opened = sem_open("/cilkshadow-test", O_CREAT | O_EXCL, 0600, 1);
    sem_unlink("/cilkshadow-test");
    post_to_waiting(opened);
  } else if (is("semaphore-reopened")) { // what one granted does not belong to the other
    sem_t* opened = SEM_FAILED;
    for (unsigned granted : {9, 0}) {
      if (opened != SEM_FAILED)
        sem_close(opened);
      opened = sem_open("/cilkshadow-test", O_CREAT | O_EXCL, 0600, granted);
      sem_unlink("/cilkshadow-test");
      if (granted > 0)
        sem_wait(opened);
    }
    post_to_waiting(opened);
  } else if (is("barrier")) {
    pthread_barrier_init(&barrier, nullptr, 2);
    std::thread other(in_step, 100000, 1);
    in_step(1, 100000);
    other.join();
  } else if (is("pipe")) {
    int ends[2];
    if (pipe(ends) != 0)
      return 1;
    work_and_send([=] { return write(ends[1], "x", 1); },
                  [=] {
                    char byte;
                    return read(ends[0], &byte, 1);
                  });
  } else if (is("end-of-file")) {
    int ends[2];
    if (pipe(ends) != 0)
      return 1;
    work_and_send([=] { return close(ends[1]); },
                  [=] {
                    char byte;
                    return read(ends[0], &byte, 1);
                  });
  } else if (is("signal")) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    work_and_send([=] { return kill(getpid(), SIGUSR1); },
                  [=] {
                    int number;
                    return sigwait(&set, &number);
                  });
  } else if (is("handler")) {
    signal(SIGUSR1, [](int) { work(100000); });
    std::thread waiting([] {
      waits = true;
      pause();
    });
    work(100000);
    while (!*const_cast<volatile bool*>(&waits))
      usleep(1000);
    usleep(100000);
    pthread_kill(waiting.native_handle(), SIGUSR1);
    waiting.join();
  } else if (is("eventfd")) {
    const int event = eventfd(0, 0);
    work_and_send([=] { return eventfd_write(event, 1); },
                  [=] {
                    eventfd_t value;
                    return eventfd_read(event, &value);
                  });
  } else if (is("eventfd-again")) { // what was written to one does not belong to the other
    const auto sends_itself = [](long before, long after) {
      const int event = eventfd(0, 0);
      std::thread writing([=] {
        work(before);
        eventfd_write(event, 1);
      });
      eventfd_t value;
      eventfd_read(event, &value);
      work(after);
      writing.join();
      close(event);
    };
    one_after_the_other(sends_itself);
  } else if (is("socketpair")) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
      return 1;
    work_and_send([=] { return send(ends[1], "x", 1, 0); },
                  [=] {
                    char byte;
                    const iovec to{&byte, 1};
                    return readv(ends[0], &to, 1);
                  });
  } else if (is("messages")) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0)
      return 1;
    static char byte;
    static iovec data{&byte, 1};
    const auto message = [] {
      mmsghdr one{};
      one.msg_hdr.msg_iov = &data;
      one.msg_hdr.msg_iovlen = 1;
      return one;
    };
    work_and_send(
        [=] {
          mmsghdr sent = message();
          return sendmmsg(ends[1], &sent, 1, 0);
        },
        [=] {
          mmsghdr received = message();
          return recvmmsg(ends[0], &received, 1, 0, nullptr);
        });
  } else if (is("pipe-vectors")) {
    int ends[2];
    if (pipe(ends) != 0)
      return 1;
    static char byte;
    static const iovec data{&byte, 1};
    work_and_send([=] { return pwritev2(ends[1], &data, 1, -1, 0); },
                  [=] { return preadv2(ends[0], &data, 1, -1, 0); });
  } else if (is("message-queue")) {
    const std::string name = "/ordered_threads." + std::to_string(getpid());
    const mqd_t queue = mq_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600, nullptr);
    if (queue == -1)
      return errno == ENOSYS ? 77 : 1;
    mq_unlink(name.c_str());
    static char message[8192]; // the largest by default
    work_and_send([=] { return mq_send(queue, message, 0, 0) + 1; },
                  [=] { return mq_receive(queue, message, sizeof message, nullptr) + 1; });
  } else if (is("sysv-queue")) {
    const int queue = msgget(IPC_PRIVATE, 0600);
    static msgbuf message{1, {}};
    work_and_send([=] { return msgsnd(queue, &message, 1, 0) + 1; },
                  [=] { return msgrcv(queue, &message, 1, 0, 0); });
    msgctl(queue, IPC_RMID, nullptr);
  } else if (is("sysv-semaphore")) {
    const int set = semget(IPC_PRIVATE, 2, 0600);
    static sembuf up{1, 1, 0}, down{1, -1, 0};
    work_and_send([=] { return semop(set, &up, 1) + 1; }, [=] { return semop(set, &down, 1) + 1; });
    semctl(set, 0, IPC_RMID);
  } else if (is("sysv-semaphore-removed")) { // before who waits for it has returned from its call
    const int set = semget(IPC_PRIVATE, 1, 0600);
    static sembuf up{0, 1, 0}, down{0, -1, 0};
    const auto raise_and_remove = [=] {
      while (semctl(set, 0, GETNCNT) == 0)
        usleep(1000);
      return semop(set, &up, 1) + semctl(set, 0, IPC_RMID) + 1;
    };
    work_and_send(raise_and_remove, [=] { return semop(set, &down, 1) + 1; });
  } else if (is("sysv-semaphores")) { // several at once
    const int set = semget(IPC_PRIVATE, 2, 0600);
    static sembuf up[]{{0, 1, 0}, {1, 1, 0}}, down{1, -1, 0};
    work_and_send([=] { return semop(set, up, 2) + 1; }, [=] { return semop(set, &down, 1) + 1; });
    semctl(set, 0, IPC_RMID);
  } else if (is("sysv-removed")) { // objects that are removed again, so many times
    const auto use_one_by_one = [=] {
      static msgbuf message{1, {}};
      static sembuf up{1, 1, 0}, down{1, -1, 0};
      for (int i = 0; i < std::atoi(arguments[2]); i++) {
        const int queue = msgget(IPC_PRIVATE, 0600), set = semget(IPC_PRIVATE, 2, 0600);
        msgsnd(queue, &message, 1, 0);
        msgrcv(queue, &message, 1, 0, 0);
        semop(set, &up, 1);
        semop(set, &down, 1);
        msgctl(queue, IPC_RMID, nullptr);
        semctl(set, 0, IPC_RMID);
      }
    };
    std::thread(use_one_by_one).join();
  } else if (is("sysv-semaphore-zero")) {
    const int set = semget(IPC_PRIVATE, 1, 0600);
    semctl(set, 0, SETVAL, 1);
    static sembuf down{0, -1, 0}, await_zero{0, 0, 0};
    work_and_send([=] { return semop(set, &down, 1) + 1; },
                  [=] { return semop(set, &await_zero, 1) + 1; });
    semctl(set, 0, IPC_RMID);
  } else if (is("sysv-semaphore-lowered")) { // by both, and neither waits
    const int set = semget(IPC_PRIVATE, 1, 0600);
    semctl(set, 0, SETVAL, 2);
    static sembuf down{0, -1, 0};
    const auto lower_between = [=](long before, long after) {
      work(before);
      semop(set, &down, 1);
      work(after);
    };
    one_after_the_other(lower_between);
    semctl(set, 0, IPC_RMID);
  } else if (is("sysv-semaphore-set") || is("sysv-semaphores-set")) {
    const int set = semget(IPC_PRIVATE, 2, 0600);
    const bool all = is("sysv-semaphores-set");
    static sembuf down{1, -1, 0};
    static unsigned short values[]{1, 1};
    work_and_send([=] { return all ? semctl(set, 0, SETALL, values) : semctl(set, 1, SETVAL, 1); },
                  [=] { return semop(set, &down, 1) + 1; });
    semctl(set, 0, IPC_RMID);
  } else if (is("sysv-semaphores-none")) { // the low 32 bits of the number count
    const int set = semget(IPC_PRIVATE, 1, 0600);
    const long page = sysconf(_SC_PAGESIZE);
    char* operations = static_cast<char*>(
        mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(operations + page, page, PROT_NONE);
    const auto change_none = [=] {
      work(100000);
      syscall(SYS_semop, set, operations, 1UL << 63);
    };
    beside(change_none, change_none);
    const int value = semctl(set, 0, GETVAL);
    semctl(set, 0, IPC_RMID);
    return value;
  } else if (is("futex")) {
    work_and_wake(FUTEX_WAKE);
  } else if (is("requeue")) {
    work_and_wake(FUTEX_REQUEUE);
  } else {
    return 2;
  }
  return 0;
}
