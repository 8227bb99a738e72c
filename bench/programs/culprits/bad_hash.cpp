// Points in a hash table whose hash is the same for most of them.
// culprit: index_points, visit, count, operator(), main
#include <cstdio>
#include <unordered_map>
#include <vector>

struct Point {
  int x, y;
  bool operator==(const Point& other) const { return x == other.x && y == other.y; }
};

struct Hash {
#ifdef REPAIRED
  size_t operator()(const Point& p) const { return p.x * 0x9E3779B97F4A7C15u ^ p.y * 0xC2B2AE3D27D4EB4Fu; }
#else
  size_t operator()(const Point& p) const { return static_cast<size_t>(p.x / 1000 + p.y / 1000); }
#endif
};

class Grid {
  std::unordered_map<Point, int, Hash> visits_;

public:
  int visit(Point p) { return ++visits_[p]; } // CULPRIT
  size_t size() const { return visits_.size(); }
};

static std::vector<Point> make_walk(int steps) {
  std::vector<Point> walk;
  unsigned state = 3;
  Point at{500, 500};
  for (int i = 0; i < steps; i++) {
    state = state * 1664525 + 1013904223;
    at.x = (at.x + static_cast<int>(state >> 24) % 40) % 1000;
    at.y = (at.y + static_cast<int>(state >> 16 & 255) % 40) % 1000;
    walk.push_back(at);
  }
  return walk;
}

int main() {
  Grid grid;
  int most = 0;
  for (Point p : make_walk(3000)) {
    int times = grid.visit(p);
    if (times > most) most = times;
  }
  std::printf("%zu places, at most %d times\n", grid.size(), most);
}
