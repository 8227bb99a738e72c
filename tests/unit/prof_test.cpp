// Compares the prof data structure with a map, and tests its bounds (Theorem 6 of the Cilkprof
// paper).
#include "work_span/engine/prof.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>
#include <vector>

namespace {

using Sums = std::map<u32, std::pair<u64, Work>>; // by site: invocations, work

Sums sums_of(const Prof& prof) {
  Sums sums;
  prof.for_each([&](SiteId site, const Measures& measures) {
    sums[index(site)].first += measures.local.count;
    sums[index(site)].second += measures.top_site.work;
  });
  return sums;
}

TEST(Prof, DoesWhatAMapDoes) {
  std::mt19937 random(1);
  ProfPool pool;
  std::vector<Prof> profs(6);
  std::vector<Sums> expected(profs.size());
  u32 sites = 1;
  for (int i = 0; i < 300000; i++) {
    const std::size_t a = random() % profs.size();
    const std::size_t b = random() % profs.size();
    switch (random() % 64) {
    case 0:
      profs[a].clear(pool);
      expected[a].clear();
      break;
    case 1:
    case 2:
      if (a == b)
        break;
      profs[a].unite(pool, profs[b]);
      EXPECT_TRUE(profs[b].empty());
      for (const auto& [site, sum] : std::exchange(expected[b], {})) {
        expected[a][site].first += sum.first;
        expected[a][site].second += sum.second;
      }
      break;
    case 3:
      if (profs[a].empty() && a != b) {
        profs[a] = std::move(profs[b]);
        expected[a] = std::exchange(expected[b], {});
      }
      break;
    case 4: EXPECT_EQ(sums_of(profs[a]), expected[a]); break;
    case 5: sites += random() % 40 == 0; break;
    default:
      const SiteId site{static_cast<u32>(random() % sites)};
      const Work work = random() % 1000;
      pool.discovered(site);
      profs[a].update(pool,
                      {.site = site, .top_site = true, .invocations = 1, .of = {.work = work}});
      expected[a][index(site)].first++;
      expected[a][index(site)].second += work;
    }
  }
  for (std::size_t i = 0; i < profs.size(); i++)
    EXPECT_EQ(sums_of(profs[i]), expected[i]);
  EXPECT_GT(sites, 100u);
}

TEST(Prof, TakesRoomForItsSitesNotForItsUpdates) {
  ProfPool pool;
  Prof prof;
  for (u32 i = 0; i < 1000000; i++) {
    pool.discovered(SiteId{i % 100});
    prof.update(pool, {.site = SiteId{i % 100}, .invocations = 1, .of = {}});
  }
  EXPECT_LT(pool.bytes(), 200u * 1000);
  prof.clear(pool);
}

} // namespace
