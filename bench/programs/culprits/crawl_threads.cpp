// Threads that crawl; each looks through all pages that any of them has seen, for each link.
// culprit: is_new, crawl, find, operator(), _M_run, __find_if
#include <algorithm>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
#ifdef REPAIRED
static std::set<std::string> seen;
#else
static std::vector<std::string> seen;
#endif

static bool is_new(const std::string& page) {
  std::lock_guard<std::mutex> guard(lock);
#ifdef REPAIRED
  return seen.insert(page).second;
#else
  if (std::find(seen.begin(), seen.end(), page) != seen.end())
    return false; // CULPRIT
  seen.push_back(page);
  return true;
#endif
}

static void crawl(int thread, int pages) {
  for (int i = 0; i < pages; i++) { // CULPRIT
    std::string page = "/page/" + std::to_string((i * 4 + thread) * 2 / 3);
    is_new(page);
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back(crawl, i, 500);
  for (auto& each : threads)
    each.join();
  std::printf("%zu\n", seen.size());
}
