// Shortest ways through mazes of several sizes, breadth first.
#include <cstdio>
#include <deque>
#include <functional>
#include <string>
#include <vector>

struct Maze {
  int width, height;
  std::vector<char> cells;
  char at(int x, int y) const { return cells[y * width + x]; }
};

static Maze make(int n) {
  Maze maze{n, n, std::vector<char>(n * n, '.')};
  unsigned seed = 3;
  for (int i = 0; i < n * n / 5; i++) {
    seed = seed * 1664525 + 1013904223;
    maze.cells[(seed >> 8) % (n * n)] = '#';
  }
  maze.cells.front() = maze.cells.back() = '.';
  return maze;
}

static int shortest(const Maze& maze, const std::function<void(int, int)>& visit) {
  std::vector<int> steps(maze.cells.size(), -1);
  std::deque<std::pair<int, int>> due{{0, 0}};
  steps[0] = 0;
  while (!due.empty()) {
    auto [x, y] = due.front();
    due.pop_front();
    visit(x, y);
    const int around[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (auto [dx, dy] : around) {
      int to_x = x + dx, to_y = y + dy;
      if (to_x < 0 || to_y < 0 || to_x >= maze.width || to_y >= maze.height || maze.at(to_x, to_y) == '#') continue;
      int& known = steps[to_y * maze.width + to_x];
      if (known >= 0) continue;
      known = steps[y * maze.width + x] + 1;
      due.push_back({to_x, to_y});
    }
  }
  return steps.back();
}

int main() {
  long visited = 0, sum = 0;
  for (int n = 10; n <= 100; n += 10) sum += shortest(make(n), [&](int, int) { visited++; });
  std::printf("%ld steps, %ld visited\n", sum, visited);
}
