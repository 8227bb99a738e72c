// What OpenMP orders and what it does not, by what the first argument names. work(n) is the unit.
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long sum;

static inline __attribute__((always_inline)) void work_here(long units) {
  for (long i = 0; i < 2000 * units; i++)
    sum += i;
}

__attribute__((noinline)) static void work(long units) { work_here(units); }

// No locks, by names like theirs.
__attribute__((noinline)) static void omp_init_blocks(void) { work_here(10); }
__attribute__((noinline)) static void omp_set_blocks(void) { work_here(10); }
__attribute__((noinline)) static void omp_test_locks(void) { work_here(10); }
__attribute__((noinline)) static void omp_unset_locks(void) { work_here(10); }

static void add(long* into, const long* value) {
  work(10);
  *into += *value;
}

// Nobody waits for the children, but the end of the parallel region.
static void tree(int depth) {
  work(1);
  if (depth == 0)
    return;
#pragma omp task
  tree(depth - 1);
#pragma omp task
  tree(depth - 1);
}

static void waiting_tree(int depth) {
  if (depth == 0) {
    work(1);
    return;
  }
#pragma omp task
  waiting_tree(depth - 1);
  waiting_tree(depth - 1);
#pragma omp taskwait
  work(1);
}

__attribute__((noinline)) static void doacross_of_two(void) {
#pragma omp parallel num_threads(2)
  {
    const long units = omp_get_ancestor_thread_num(1) % 2 ? 100 : 1;
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < 8; i++) {
      work(units);
#pragma omp ordered depend(sink : i - 1)
      work(1);
#pragma omp ordered depend(source)
    }
    work(1);
  }
}

// Each task makes the next one, and ends.
static void chain(long left) {
  if (left == 0)
    return;
#pragma omp task
  chain(left - 1);
}

static void exclusive_pair(void) {
  int x = 0;
#pragma omp task depend(mutexinoutset : x)
  work(10);
#pragma omp task depend(mutexinoutset : x)
  work(10);
#pragma omp taskwait
  sum += x;
}

static void steps(int count) {
#pragma omp for schedule(dynamic)
  for (int i = 0; i < count; i++)
    work(1);
}

static void ordered_steps(int count) {
#pragma omp for ordered schedule(dynamic)
  for (int i = 0; i < count; i++) {
    work(1);
#pragma omp ordered
    work(5);
  }
}

int main(int, char** arguments) {
  const char* what = arguments[1];
#define IS(name) (strcmp(what, name) == 0)
  if (IS("static")) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 32; i++)
      work(1);
  } else if (IS("dynamic")) {
#pragma omp parallel for schedule(dynamic) num_threads(4)
    for (int i = 0; i < 32; i++)
      work(1);
  } else if (IS("dynamic_for_all_threads")) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 32; i++)
      work(1);
  } else if (IS("serial_loops")) {
#pragma omp parallel for schedule(dynamic) if (omp_get_num_threads() == 0)
    for (int i = 0; i < 8; i++)
      work(1);
#pragma omp parallel num_threads(1)
    steps(8);
    steps(8);
  } else if (IS("serial_sections")) {
#pragma omp parallel sections if (omp_get_num_threads() == 0)
    {
#pragma omp section
      work(10);
#pragma omp section
      work(10);
    }
  } else if (IS("dynamic_twice")) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(dynamic, 2)
      for (int i = 0; i < 32; i++)
        work(1);
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 32; i++)
        work(1);
    }
  } else if (IS("sections")) {
#pragma omp parallel sections num_threads(4)
    {
#pragma omp section
      work(10);
#pragma omp section
      work(10);
#pragma omp section
      work(10);
    }
  } else if (IS("cancelled_loop")) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 8; i++) {
        work(10);
#pragma omp cancel for
      }
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 2; i++)
        work(10);
    }
  } else if (IS("cancelled_sections")) {
#pragma omp parallel num_threads(1)
    for (int i = 0; i < 2; i++) {
#pragma omp sections
      {
#pragma omp section
        {
          work(10);
#pragma omp cancellation point sections
#pragma omp cancel sections
        }
#pragma omp section
        work(10);
      }
    }
  } else if (IS("cancellable_barrier_of_sections")) {
#pragma omp parallel num_threads(2)
    {
      int had_first = 0;
#pragma omp sections
      {
#pragma omp section
        {
          work(10);
          had_first = 1;
        }
#pragma omp section
        ;
      }
      if (!had_first)
        work(10);
#pragma omp cancel parallel if (sum == 0)
    }
  } else if (IS("barrier")) {
#pragma omp parallel num_threads(2)
    {
      if (omp_get_thread_num() == 0)
        work(10);
#pragma omp barrier
      if (omp_get_thread_num() == 1)
        work(10);
    }
  } else if (IS("barriers")) {
#pragma omp parallel num_threads(1)
    for (long left = atol(arguments[2]); left > 0; left--) {
#pragma omp barrier
    }
  } else if (IS("critical")) {
#pragma omp parallel num_threads(4)
    {
      work(10);
#pragma omp critical
      work(10);
    }
  } else if (IS("no_locks")) {
    omp_init_blocks();
    omp_set_blocks();
    omp_test_locks();
    omp_unset_locks();
#pragma omp parallel num_threads(4)
    work(10);
  } else if (IS("locks_made_again")) {
    static omp_lock_t lock;
    static omp_nest_lock_t nest_lock;
#pragma omp parallel
    for (int i = 0; i < 4; i++) {
#pragma omp task
      {
        omp_init_lock(&lock);
        omp_set_lock(&lock);
        work(5);
        omp_unset_lock(&lock);
        omp_destroy_lock(&lock);
        omp_init_nest_lock(&nest_lock);
        omp_set_nest_lock(&nest_lock);
        work(5);
        omp_unset_nest_lock(&nest_lock);
        omp_destroy_nest_lock(&nest_lock);
      }
    }
  } else if (IS("tasks")) {
#pragma omp parallel num_threads(4)
#pragma omp single
    tree(4);
  } else if (IS("tasks_outside")) {
    tree(4);
#pragma omp taskwait
  } else if (IS("chain")) {
#pragma omp parallel num_threads(4)
#pragma omp single
    chain(atol(arguments[2]));
  } else if (IS("taskwait")) {
#pragma omp parallel num_threads(4)
#pragma omp single
    waiting_tree(4);
  } else if (IS("taskgroup")) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp taskgroup
      tree(4);
      work(10);
    }
  } else if (IS("taskgroup_not_for_earlier")) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task
      work(30);
#pragma omp taskgroup
      {
#pragma omp task
        work(10);
      }
      work(10);
    }
  } else if (IS("taskwait_for_those_before_taskgroup")) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task
      work(10);
#pragma omp taskgroup
      {
#pragma omp taskwait
        work(10);
      }
    }
  } else if (IS("taskwait_not_for_grandchildren")) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task
      {
#pragma omp task
        work(10);
      }
#pragma omp taskwait
      work(10);
    }
  } else if (IS("taskloop")) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp taskloop grainsize(1)
      for (int i = 0; i < 32; i++)
        work(1);
      work(10);
    }
  } else if (IS("depend")) {
    int x = 0, y = 0, z = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : x)
      work(10);
#pragma omp task depend(in : x) depend(out : y)
      work(10);
#pragma omp task depend(in : x) depend(out : z)
      work(10);
#pragma omp task depend(in : y, z)
      work(10);
    }
    sum += x + y + z;
  } else if (IS("nested")) {
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
      work(10);
      work(10);
    }
  } else if (IS("undeferred")) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task if (omp_get_num_threads() == 0)
      work(10);
      work(10);
    }
  } else if (IS("undeferred_leaves_children")) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task if (omp_get_num_threads() == 0)
      {
#pragma omp task
        work(10);
      }
#pragma omp taskwait
      work(10);
    }
  } else if (IS("final")) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task final(omp_get_num_threads() > 0)
      waiting_tree(4);
      work(10);
    }
  } else if (IS("untied")) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task untied
      {
        work(5);
#pragma omp task untied
        work(10);
#pragma omp taskwait
        work(5);
      }
      work(10);
    }
  } else if (IS("tasks_before_barrier")) {
#pragma omp parallel num_threads(4)
    {
#pragma omp single nowait
      for (int i = 0; i < 8; i++) {
#pragma omp task
        work(10);
      }
#pragma omp barrier
#pragma omp master
      work(10);
    }
  } else if (IS("ordered")) {
#pragma omp parallel for ordered schedule(dynamic) num_threads(4)
    for (int i = 0; i < 8; i++) {
      work(1);
#pragma omp ordered
      work(1);
    }
  } else if (IS("ordered_static")) {
    long total = 0;
    const unsigned long count = 8;
#pragma omp parallel num_threads(4)
    {
#pragma omp for ordered schedule(static, 1)
      for (int i = 0; i < 8; i++) {
        work(4);
        if (i == 0) {
#pragma omp ordered
          sum++;
        }
      }
#pragma omp for ordered schedule(static, 1)
      for (unsigned long i = 0; i < count; i++) {
        work(4);
        if (i == 0) {
#pragma omp ordered
          sum++;
        }
      }
#pragma omp for ordered schedule(static, 1) reduction(task, + : total)
      for (int i = 0; i < 8; i++) {
        work(4);
        if (i == 0) {
#pragma omp ordered
          total++;
        }
      }
#pragma omp for ordered schedule(static, 1) reduction(task, + : total)
      for (unsigned long i = 0; i < count; i++) {
        work(4);
        if (i == 0) {
#pragma omp ordered
          total++;
        }
      }
    }
  } else if (IS("ordered_runtime")) {
    long total = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp for ordered schedule(runtime)
      for (int i = 0; i < 8; i++) {
#pragma omp ordered
        sum++;
      }
#pragma omp for ordered schedule(runtime) reduction(task, + : total)
      for (int i = 0; i < 8; i++) {
#pragma omp ordered
        total++;
      }
    }
  } else if (IS("ordered_outside")) {
    ordered_steps(4);
  } else if (IS("copyprivate")) {
    long value;
#pragma omp parallel num_threads(4) private(value)
    {
#pragma omp single copyprivate(value)
      {
        work(10);
        value = sum;
      }
      if (value > 0)
        work(10);
    }
  } else if (IS("reduction")) {
    long total = 0;
#pragma omp parallel for reduction(+ : total) num_threads(8)
    for (int i = 0; i < 32; i++) {
      work(1);
      total += i;
    }
    work(total == 496);
  } else if (IS("tasks_of_reduction_before_barrier")) {
    long total = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp for reduction(+ : total) nowait
      for (int i = 0; i < 2; i++) {
        total += i;
        if (i == 1) {
#pragma omp task
          work(10);
        }
      }
#pragma omp barrier
#pragma omp master
      work(10);
    }
  } else if (IS("task_reduction")) {
    long total = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp for reduction(task, + : total)
      for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : total)
        {
          work(10);
          total += i;
        }
      }
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 4; i++)
        work(10);
    }
    if (total != 6)
      return 3;
  } else if (IS("task_reduction_added")) {
    long total = 0;
#pragma omp declare reduction(adds : long : add(&omp_out, &omp_in))
#pragma omp parallel num_threads(2)
    {
#pragma omp for reduction(task, adds : total)
      for (int i = 0; i < 2; i++)
        total += i;
      if (omp_get_thread_num() == 1)
        work(10);
    }
  } else if (IS("exclusive")) {
    int x = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : x)
      work(10);
#pragma omp task depend(mutexinoutset : x)
      work(10);
#pragma omp task depend(mutexinoutset : x)
      work(10);
#pragma omp task depend(in : x)
      work(10);
    }
    sum += x;
  } else if (IS("exclusive_in_two")) {
    static int x, y;
#pragma omp parallel
    {
#pragma omp task depend(mutexinoutset : x)
      work(10);
#pragma omp task depend(mutexinoutset : y)
      work(20);
#pragma omp task depend(mutexinoutset : x, y)
      work(30);
    }
    sum += x + y;
  } else if (IS("exclusive_pairs")) {
#pragma omp parallel
    for (int i = 0; i < 4; i++) {
#pragma omp task
      exclusive_pair();
    }
  } else if (IS("exclusive_forks")) {
    static int x;
#pragma omp parallel num_threads(1)
    {
      work(20);
#pragma omp task depend(mutexinoutset : x) if (omp_get_num_threads() == 0)
      {
        work(40);
        if (fork() > 0)
          wait(NULL);
        work(10);
      }
    }
  } else if (IS("taskwait_depend")) {
    int x = 0, y = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : x)
      work(10);
#pragma omp task depend(out : y)
      work(30);
#pragma omp taskwait depend(in : x)
      work(10);
    }
    sum += x + y;
  } else if (IS("nested_many")) {
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
    {
#pragma omp parallel num_threads(3)
      work(10);
      work(10);
    }
  } else if (IS("serialised")) {
#pragma omp parallel if (omp_get_num_threads() == 0)
    {
#pragma omp task
      work(10);
      work(10);
    }
  } else if (IS("serial_tasks")) {
#pragma omp parallel num_threads(1)
    {
      tree(3);
#pragma omp taskloop grainsize(1)
      for (int i = 0; i < 5; i++)
        work(1);
    }
  } else if (IS("serial_by_call")) {
    omp_set_num_threads(1);
#pragma omp parallel
    {
      tree(3);
      steps(5);
    }
#pragma omp parallel num_threads(4)
    {
      steps(20);
#pragma omp single
#pragma omp parallel
      steps(20);
    }
    omp_set_num_threads(4);
#pragma omp parallel
    steps(20);
  } else if (IS("undeferred_taskloop")) {
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskloop grainsize(1) if (omp_get_num_threads() == 0)
    for (int i = 0; i < 8; i++)
      work(1);
  } else if (IS("undeferred_depends")) {
    int x = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : x)
      work(10);
#pragma omp task depend(in : x) if (omp_get_num_threads() == 0)
      work(10);
    }
    sum += x;
  } else if (IS("copies")) {
    long five[] = {5, 1, 2, 3};
    int wrong = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
      for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(five) shared(wrong)
        {
          wrong += five[0] != 5 || five[3]++ != 3;
          work(five[0]);
        }
      }
#pragma omp taskloop grainsize(1) nogroup firstprivate(five) shared(wrong)
      for (int i = 0; i < 8; i++) {
        wrong += five[2] != 2;
        work(five[0]);
      }
    }
    if (wrong)
      return 3;
  } else if (IS("target")) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp target nowait
      work(10);
#pragma omp target nowait
      work(10);
#pragma omp taskwait
      work(10);
    }
  } else if (IS("target_depends")) {
    int x = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : x)
      work(20);
#pragma omp target depend(in : x)
      work(20);
    }
    sum += x;
  } else if (IS("target_data")) {
    int x = 0, y = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : x)
      work(10);
#pragma omp target update to(x) nowait depend(in : x) depend(out : y)
#pragma omp task depend(in : y)
      work(10);
      work(15);
    }
    sum += x + y;
  } else if (IS("target_data_waited_for")) {
    int x = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : x)
      work(10);
#pragma omp target update to(x) depend(in : x)
      work(10);
    }
    sum += x;
  } else if (IS("detached") || IS("detached_early")) {
    // The task ends with its event, or with its body if that is later.
    const long units = IS("detached") ? 30 : 1;
    int x = 0;
    omp_event_handle_t event;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task detach(event) depend(out : x)
      work(10);
#pragma omp task firstprivate(event)
      {
        work(units);
        omp_fulfill_event(event);
      }
#pragma omp task depend(in : x)
      work(10);
    }
    sum += x;
  } else if (IS("detached_by_creator")) {
    int x = 0;
    omp_event_handle_t event;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task detach(event) depend(out : x)
      work(10);
#pragma omp task depend(in : x)
      work(10);
      work(20);
      omp_fulfill_event(event);
#pragma omp taskwait
      work(5);
    }
    sum += x;
  } else if (IS("doacross")) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for ordered(1) schedule(dynamic, 1)
      for (int i = 0; i < 8; i++) {
        work(10);
#pragma omp ordered depend(sink : i - 2)
        work(1);
#pragma omp ordered depend(source)
      }
      // As long as the first row and the last column.
#pragma omp for ordered(2) schedule(static, 1)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 6; j++) {
#pragma omp ordered depend(sink : i - 1, j)
          work(1);
#pragma omp ordered depend(source)
        }
    }
  } else if (IS("doacross_of_long_iterations")) {
    // The second thread runs and waits before the first one has posted.
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered depend(sink : i - 1)
      work(1000);
#pragma omp ordered depend(source)
    }
  } else if (IS("doacross_in_regions_alike")) {
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(4)
    doacross_of_two();
  } else {
    return 2;
  }
  return 0;
}
