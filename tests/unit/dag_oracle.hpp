// Oracle for work and span: stores the whole dag of strands, and finds longest paths by brute
// force. Slow and simple; independent of the engine (work_span/engine/work_span.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

class DagOracle {
public:
  struct Sums {
    std::uint64_t count = 0, work = 0, span = 0;
    bool operator==(const Sums&) const = default;
  };
  struct Site {
    Sums top_site, top_caller, local;
    std::uint64_t burdened = 0; // of top_site, on work
    bool operator==(const Site&) const = default;
  };
  using Sites = std::map<int, Site>;

  int start_thread(int creator); // -1: from the program's start; returns its number
  void end_thread(int thread);
  void join_thread(int by, int ended);
  void work(int thread, std::uint64_t amount);
  void call(int thread, int site, int routine);
  void return_from_top(int thread);
  void begin_spawn(int thread);
  void begin_iteration(int thread); // the same without burden
  void wait_in_child(int thread);   // for the children that it has spawned in the same invocation
  void end_spawn(int thread);       // includes wait_in_child
  void keep_spawn(int thread);
  void undo_spawn(int thread);
  void undo_outer_spawn(int thread); // of two running children, one within the other
  void begin_scope(int thread);
  void end_scope(int thread);
  void sync(int thread);
  int publish(int thread); // a point for observe
  void observe(int thread, int point);
  void acquire(int thread, int lock, bool shared);
  void release(int thread, int lock, bool shared);

  // Call when all threads have ended.
  void solve(std::uint64_t burden);
  std::uint64_t total_work = 0, span = 0, burdened = 0, serialised = 0;
  Sites on_work, on_span;

private:
  // How a strand may be reached, apart from the previous strand of its thread.
  enum class Edge { serial, fork, child, order, lock };
  struct In {
    int from;
    Edge kind;
  };
  struct Strand {
    int invocation = -1; // -1: outside of all invocations
    std::uint64_t weight = 0;
    std::vector<In> in; // the serial one comes first
  };
  struct Invocation {
    int site, routine;
    int parent;   // the invocation that made the call, or in which the thread was created
    bool is_call; // otherwise the root of a thread
    int entry, exit = -1;
    std::uint64_t joined = 0; // work of threads that were joined in it
  };
  struct Thread {
    int strand;
    int created_in;
    std::vector<int> pending; // invocations
    struct Spawn {
      std::size_t depth;
      int fork;
      Edge edge;            // from the fork
      int first;            // of the child
      std::size_t children; // children of the invocation that had not been waited for
      int end = -1;         // of the child, if it has ended
      int continuation = -1;
    };
    std::vector<Spawn> spawns;
    // By depth and scope: ends of children that have not been waited for.
    std::vector<std::vector<std::vector<int>>> children;
    std::uint64_t joined = 0;
    std::vector<int> strands;
  };
  struct Lock {
    std::vector<int> released;
    std::vector<int> released_shared;
  };

  void begin_spawn(int thread, Edge edge);
  int strand(int thread, std::vector<In> in);
  void wait(int thread, std::size_t first); // for the invocation's children from there on
  std::vector<std::uint64_t> distances(bool locks, std::uint64_t burden) const;
  int longest(const Strand& strand, const std::vector<std::uint64_t>& until, bool any) const;
  std::uint64_t work_of(int thread) const;

  std::vector<Strand> strands_;
  std::vector<Invocation> invocations_;
  std::vector<Thread> threads_;
  std::map<int, Lock> locks_;
};
