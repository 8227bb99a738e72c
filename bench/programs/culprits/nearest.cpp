// The nearest neighbour of each star, by the distance to all others; generic in the dimension.
// culprit: nearest, mean_distance, distance
#include <array>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

template <size_t D> using Point = std::array<double, D>;

template <size_t D> double distance2(const Point<D>& a, const Point<D>& b) {
  double sum = 0;
  for (size_t i = 0; i < D; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

template <size_t D> class Sky {
  std::vector<Point<D>> stars_;

public:
  explicit Sky(std::vector<Point<D>> stars) : stars_(std::move(stars)) {
#ifdef REPAIRED
    std::sort(stars_.begin(), stars_.end());
#endif
  }
  double nearest(size_t at) const {
    double best = std::numeric_limits<double>::max();
#ifdef REPAIRED
    const double x = stars_[at][0];
    for (size_t i = at + 1; i < stars_.size() && (stars_[i][0] - x) * (stars_[i][0] - x) < best; i++)
      best = std::min(best, distance2(stars_[at], stars_[i]));
    for (size_t i = at; i-- > 0 && (stars_[i][0] - x) * (stars_[i][0] - x) < best;)
      best = std::min(best, distance2(stars_[at], stars_[i]));
#else
    for (size_t i = 0; i < stars_.size(); i++) // CULPRIT
      if (i != at) best = std::min(best, distance2(stars_[at], stars_[i]));
#endif
    return std::sqrt(best);
  }
  double mean_distance() const {
    double sum = 0;
    for (size_t i = 0; i < stars_.size(); i++) sum += nearest(i);
    return sum / stars_.size();
  }
};

int main() {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(0, 1);
  std::vector<Point<2>> stars(1400);
  for (auto& star : stars) star = {place(random), place(random) / 50};
  std::printf("%g\n", Sky<2>(std::move(stars)).mean_distance());
}
