// KIND lock, NAMES registry_mutex|insert|lookup: one mutex, held for long by who inserts and by who looks up.
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

std::mutex registry_mutex;
std::vector<std::string> registry;

static unsigned digest(const std::string& name) {
  unsigned h = 17;
  for (int round = 0; round < 30; round++)
    for (char c : name)
      h = h * 31 + c;
  return h;
}

static void insert(const std::string& name) {
#ifdef FIXED
  const unsigned at = digest(name) % 64;
  std::lock_guard<std::mutex> guard(registry_mutex);
  registry[at] = name;
#else
  std::lock_guard<std::mutex> guard(registry_mutex); // CULPRIT
  registry[digest(name) % 64] = name;
#endif
}

static bool lookup(const std::string& name) {
#ifdef FIXED
  const unsigned at = digest(name) % 64;
  std::lock_guard<std::mutex> guard(registry_mutex);
  return registry[at] == name;
#else
  std::lock_guard<std::mutex> guard(registry_mutex); // CULPRIT
  return registry[digest(name) % 64] == name;
#endif
}

int main() {
  registry.resize(64);
  std::vector<std::thread> threads;
  int hits[4] = {};
  for (int t = 0; t < 4; t++)
    threads.emplace_back([t, &hits] {
      for (int i = 0; i < 250; i++) {
        const std::string name = "entry-" + std::to_string(i * 4 + t);
        insert(name);
        hits[t] += lookup(name);
      }
    });
  for (auto& thread : threads)
    thread.join();
  std::printf("%d\n", hits[0]);
}
