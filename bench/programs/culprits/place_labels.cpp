// Places labels on a map; each is compared with all that were placed before.
// culprit: is_free, place_all, operator()
#include <algorithm>
#include <cstdio>
#include <unordered_map>
#include <vector>

struct Box {
  int x, y, width, height;
  bool meets(const Box& other) const {
    return x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height;
  }
};

class Map {
#ifdef REPAIRED
  std::unordered_map<long, std::vector<Box>> cells_;
  static long cell(int x, int y) { return static_cast<long>(x / 32) * 100000 + y / 32; }
#else
  std::vector<Box> placed_;
#endif

public:
  bool is_free(const Box& box) const {
#ifdef REPAIRED
    for (int x = box.x - 32; x <= box.x + 32; x += 32)
      for (int y = box.y - 32; y <= box.y + 32; y += 32) {
        auto at = cells_.find(cell(x, y));
        if (at != cells_.end() && std::any_of(at->second.begin(), at->second.end(), [&](const Box& each) { return each.meets(box); })) return false;
      }
    return true;
#else
    return std::none_of(placed_.begin(), placed_.end(), [&](const Box& each) { return each.meets(box); }); // CULPRIT
#endif
  }
  void place(const Box& box) {
#ifdef REPAIRED
    cells_[cell(box.x, box.y)].push_back(box);
#else
    placed_.push_back(box);
#endif
  }
};

static int place_all(int labels) {
  Map map;
  int placed = 0;
  unsigned seed = 7;
  for (int i = 0; i < labels; i++) {
    seed = seed * 1664525 + 1013904223;
    Box box{100 + static_cast<int>(seed >> 8) % 20000, 100 + static_cast<int>(seed >> 4) % 20000, 20, 8};
    if (map.is_free(box)) {
      map.place(box);
      placed++;
    }
  }
  return placed;
}

int main() {
  int sum = 0;
  for (int labels = 150; labels <= 1500; labels += 150) sum += place_all(labels);
  std::printf("%d placed\n", sum);
}
