// Whether two of the bookings add up to a sum, in main, by trying all pairs.
// culprit: main
#include <cstdio>
#include <random>
#include <unordered_set>
#include <vector>

int main() {
  std::mt19937 random(11);
  std::vector<long> bookings;
  for (int i = 0; i < 2500; i++) bookings.push_back(2 * (random() % 1000000));
  long sum = 0;
  for (long booking : bookings) sum += booking;
  int pairs = 0;
  const long wanted = 1000001;
#ifdef REPAIRED
  std::unordered_set<long> seen;
  for (long booking : bookings) {
    if (seen.count(wanted - booking)) pairs++;
    seen.insert(booking);
  }
#else
  for (size_t i = 0; i < bookings.size(); i++)
    for (size_t j = i + 1; j < bookings.size(); j++) // CULPRIT
      if (bookings[i] + bookings[j] == wanted) pairs++;
#endif
  std::printf("%ld %d\n", sum, pairs);
}
