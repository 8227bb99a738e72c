// What oneTBB orders and what it does not; the first argument selects a case. work(n) is the unit.
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>

#include <oneapi/tbb.h>

namespace {

volatile long sum;

__attribute__((noinline)) void work(long units) {
  for (long i = 0; i < 4000 * units; i++)
    sum = sum + i;
}

using Range = tbb::blocked_range<int>;
const tbb::simple_partitioner simple;

void tree(int depth) {
  if (depth > 0) {
    tbb::task_group group;
    group.run([=] { tree(depth - 1); });
    tree(depth - 1);
    group.wait();
  }
  work(1);
}

void group() {
  tbb::task_group group;
  for (int i = 0; i < 4; i++)
    group.run([] { work(10); });
  work(5);
  group.wait();
  work(10);
}

// The wait in the first task is not for the second one, although the same thread executes it first.
void two_groups() {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  tbb::task_group first, second;
  first.run([] { work(10); });
  second.run([] { work(30); });
  first.wait();
  work(10);
  second.wait();
}

// The waiting task did not create the group.
void group_from_within() {
  tbb::task_group group;
  group.run([&] {
    work(5);
    group.run([] { work(20); });
    work(5);
  });
  group.wait();
  work(10);
}

void group_twice() {
  tbb::task_group group;
  for (int i = 0; i < 2; i++) {
    group.run([] { work(10); });
    group.run_and_wait([] { work(5); });
  }
}

void loop() {
  tbb::parallel_for(
      Range(0, 32, 1),
      [](const Range& range) {
        for (int i = range.begin(); i < range.end(); i++)
          work(1);
      },
      simple);
}

void automatic_loop() {
  tbb::parallel_for(0, 64, [](int) { work(1); });
}

void nested_loops() {
  tbb::parallel_for(
      Range(0, 4, 1),
      [](const Range&) {
        loop();
        work(2);
      },
      simple);
}

// Joins are part of the path: the sum of a tree of 8 leaves takes 3.
void reduction() {
  const int total = tbb::parallel_deterministic_reduce(
      Range(0, 8, 1), 0,
      [](const Range& range, int value) {
        work(1);
        return value + range.begin();
      },
      [](int a, int b) {
        work(10);
        return a + b;
      },
      simple);
  work(total == 28);
}

// With one thread, the shorter half is executed last; the join comes after both.
void uneven_reduction() {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  tbb::parallel_deterministic_reduce(
      Range(0, 2, 1), 0,
      [](const Range& range, int value) {
        work(range.begin() == 0 ? 30 : 10);
        return value;
      },
      [](int a, int) {
        work(20);
        return a;
      },
      simple);
}

void invoke() {
  tbb::parallel_invoke([] { work(10); }, [] { work(20); }, [] { work(5); });
  work(10);
}

void invoke_many() {
  const auto ten = [] { work(10); };
  tbb::parallel_invoke(ten, ten, ten, ten, ten, [] { work(20); });
}

void quicksort(int n) {
  work(n);
  if (n > 1)
    tbb::parallel_invoke([=] { quicksort(n / 2); }, [=] { quicksort(n / 2); });
}

// The work is in code that is inlined into oneTBB's.
void inlined() {
  static volatile int cells[32 * 4000];
  tbb::parallel_for(
      Range(0, 32, 1),
      [](const Range& range) {
        for (int i = 4000 * range.begin(); i < 4000 * range.end(); i++)
          cells[i] = cells[i] + i;
      },
      simple);
}

std::atomic<long> counted;

inline void count() {
  for (int i = 0; i < 4000; i++)
    counted.fetch_add(i & 3, std::memory_order_relaxed);
}

void serial_atomics() {
  for (int i = 0; i < 32; i++)
    count();
}

void atomics() {
  tbb::parallel_for(
      0, 32, [](int) { count(); }, simple);
}

// The program's own count of remaining items orders nothing.
void progress() {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  std::atomic<int> left{8};
  tbb::parallel_for(
      0, 8,
      [&](int i) {
        work(i == 0 ? 10 : 1);
        left--;
        work(i == 7 ? 20 : 1);
      },
      simple);
}

// The handler comes after the task that threw.
void exception() {
  tbb::task_group group;
  group.run([] {
    work(10);
    throw 1;
  });
  work(5);
  try {
    group.wait();
  } catch (int) {
    work(20);
  }
}

void nested_exception() {
  tbb::task_group group;
  group.run([] { exception(); });
  group.wait();
  work(10);
}

// Each has a mutex of its own, where another one was before.
void own_mutexes() {
  tbb::parallel_for(
      0, 32,
      [](int) {
        const auto mutex = std::make_unique<std::mutex>();
        const std::lock_guard lock(*mutex);
        work(1);
      },
      simple);
}

void arena() {
  tbb::task_arena arena(2);
  arena.execute([] { group(); });
}

// a, then b and c, then d.
void diamond() {
  using namespace tbb::flow;
  tbb::flow::graph graph;
  using Node = continue_node<continue_msg>;
  Node a(graph, [](continue_msg) { work(10); }), b(graph, [](continue_msg) { work(30); });
  Node c(graph, [](continue_msg) { work(20); }), d(graph, [](continue_msg) { work(10); });
  make_edge(a, b);
  make_edge(a, c);
  make_edge(b, d);
  make_edge(c, d);
  a.try_put(continue_msg());
  graph.wait_for_all();
}

void messages() {
  using namespace tbb::flow;
  tbb::flow::graph graph;
  function_node<int, int> first(graph, unlimited, [](int value) {
    work(10);
    return value;
  });
  function_node<int> second(graph, unlimited, [](int) { work(5); });
  make_edge(first, second);
  for (int i = 0; i < 4; i++)
    first.try_put(i);
  graph.wait_for_all();
}

void nested_in_graph() {
  using namespace tbb::flow;
  tbb::flow::graph graph;
  function_node<int> node(graph, unlimited, [](int) {
    loop();
    work(10);
  });
  node.try_put(0);
  node.try_put(1);
  graph.wait_for_all();
}

void limited_node() {
  using namespace tbb::flow;
  tbb::flow::graph graph;
  function_node<int> node(graph, serial, [](int) { work(10); });
  for (int i = 0; i < 4; i++)
    node.try_put(i);
  graph.wait_for_all();
}

void pipeline() {
  int made = 0;
  tbb::parallel_pipeline(
      4, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                     [&](tbb::flow_control& control) {
                                       if (made == 4)
                                         control.stop();
                                       return made++;
                                     }) &
             tbb::make_filter<int, void>(tbb::filter_mode::parallel, [](int) { work(5); }));
}

// Three stages, with room for three items, all of one value.
void pipeline_of_three() {
  int made = 0;
  tbb::parallel_pipeline(
      3, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                     [&](tbb::flow_control& control) {
                                       if (made++ == 8)
                                         control.stop();
                                       else
                                         work(1);
                                       return 7;
                                     }) &
             tbb::make_filter<int, int>(tbb::filter_mode::parallel,
                                        [](int value) {
                                          work(6);
                                          return value;
                                        }) &
             tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [](int) { work(2); }));
}

// Of so many items, which cost nothing.
void many_items(int count) {
  int made = 0;
  tbb::parallel_pipeline(4,
                         tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                                     [&](tbb::flow_control& control) {
                                                       if (made == count)
                                                         control.stop();
                                                       return made++;
                                                     }) &
                             tbb::make_filter<int, void>(tbb::filter_mode::parallel, [](int) {}));
}

void observed_loop() {
  struct Observer : tbb::task_scheduler_observer {
    Observer() { observe(true); }
    ~Observer() override { observe(false); }
    void on_scheduler_entry(bool) override { sum = sum + 1; }
  } observer;
  loop();
}

// So no pop overtakes the end of a push.
void let_other_wait() { std::this_thread::sleep_for(std::chrono::milliseconds(200)); }

void work_as_told(tbb::concurrent_bounded_queue<int>& queue, int times) {
  for (int i = 0; i < times; i++) {
    int taken;
    queue.pop(taken);
    work(taken);
  }
}

// The last push waits for the third pop.
void bounded_queue() {
  tbb::concurrent_bounded_queue<int> queue;
  queue.set_capacity(1);
  std::thread taking([&] { work_as_told(queue, 4); });
  for (int i = 0; i < 4; i++) {
    work(3);
    queue.push(10);
  }
  work(30);
  taking.join();
}

// Each pop waits for its push.
void waiting_queue() {
  tbb::concurrent_bounded_queue<int> queue;
  std::thread taking([&] { work_as_told(queue, 4); });
  for (int i = 0; i < 4; i++) {
    work(10);
    let_other_wait();
    queue.push(10);
  }
  taking.join();
}

// A push waits until it is aborted; the next one is another queue's.
void aborted_queue() {
  tbb::concurrent_bounded_queue<int> queue, other;
  queue.set_capacity(1);
  queue.push(1);
  other.push(1);
  std::atomic<bool> is_aborted = false;
  std::thread aborting([&] {
    while (!is_aborted) {
      work(1);
      queue.abort();
    }
  });
  try {
    queue.push(1);
  } catch (const tbb::user_abort&) {
    is_aborted = true;
  }
  other.push(1);
  aborting.join();
}

// The tickets of the pushes begin with 0 twice.
void cleared_queue() {
  tbb::concurrent_bounded_queue<int> queue;
  for (int i = 0; i < 5; i++)
    queue.push(i);
  queue.clear();
  std::thread taking([&] { work_as_told(queue, 3); });
  for (int i = 0; i < 3; i++) {
    work(20);
    let_other_wait();
    queue.push(10);
  }
  taking.join();
}

} // namespace

int main(int, char** arguments) {
  const struct {
    const char* name;
    void (*run)();
  } cases[] = {
      {"tree", [] { tree(4); }},
      {"group", group},
      {"two_groups", two_groups},
      {"group_from_within", group_from_within},
      {"group_twice", group_twice},
      {"loop", loop},
      {"automatic_loop", automatic_loop},
      {"nested_loops", nested_loops},
      {"reduction", reduction},
      {"uneven_reduction", uneven_reduction},
      {"invoke", invoke},
      {"invoke_many", invoke_many},
      {"quicksort", [] { quicksort(16); }},
      {"inlined", inlined},
      {"serial_atomics", serial_atomics},
      {"atomics", atomics},
      {"progress", progress},
      {"exception", exception},
      {"nested_exception", nested_exception},
      {"own_mutexes", own_mutexes},
      {"arena", arena},
      {"diamond", diamond},
      {"messages", messages},
      {"nested_in_graph", nested_in_graph},
      {"limited_node", limited_node},
      {"pipeline", pipeline},
      {"pipeline_of_three", pipeline_of_three},
      {"20000_items", [] { many_items(20'000); }},
      {"60000_items", [] { many_items(60'000); }},
      {"observed_loop", observed_loop},
      {"bounded_queue", bounded_queue},
      {"waiting_queue", waiting_queue},
      {"cleared_queue", cleared_queue},
      {"aborted_queue", aborted_queue},
  };
  for (const auto& known : cases)
    if (std::strcmp(known.name, arguments[1]) == 0) {
      known.run();
      return 0;
    }
  return 2;
}
