// Builds the tree of all moves in a small game, with their names, and counts the ways to win in it.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

struct Move {
  std::string name;
  std::vector<std::unique_ptr<Move>> next;
};

static std::unique_ptr<Move> moves(int left, int take) {
  auto move = std::make_unique<Move>();
  move->name = "take " + std::to_string(take) + " matches of those that are left";
  for (int more = 1; more <= 3 && more <= left; more++) move->next.push_back(moves(left - more, more));
  return move;
}

static long wins(const Move& move, int player) {
  if (move.next.empty()) return player + (move.name.back() == '!');
  long sum = 0;
  for (const auto& each : move.next) sum += wins(*each, 1 - player);
  return sum;
}

int main() { std::printf("%ld\n", wins(*moves(17, 0), 0)); }
