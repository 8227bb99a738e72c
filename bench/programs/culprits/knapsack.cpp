// The best load of a van, by trying all sets of parcels; each call gets a copy of those that are left.
// culprit: best
#include <algorithm>
#include <cstdio>
#include <vector>

struct Parcel { int weight, value; };

#ifdef REPAIRED
static int best(const std::vector<Parcel>& parcels, int room) {
  std::vector<int> known(room + 1);
  for (const auto& parcel : parcels)
    for (int r = room; r >= parcel.weight; r--) known[r] = std::max(known[r], known[r - parcel.weight] + parcel.value);
  return known[room];
}
#else
static int best(std::vector<Parcel> parcels, int room) { // CULPRIT
  if (parcels.empty()) return 0;
  Parcel last = parcels.back();
  parcels.pop_back();
  int without = best(parcels, room);
  return last.weight > room ? without : std::max(without, last.value + best(parcels, room - last.weight));
}
#endif

int main() {
  int sum = 0;
  for (int number = 4; number <= 15; number++) {
    std::vector<Parcel> parcels;
    for (int i = 0; i < number; i++) parcels.push_back({3 + i * 7 % 11, 5 + i * 13 % 17});
    sum += best(parcels, 4 * number);
  }
  std::printf("%d\n", sum);
}
