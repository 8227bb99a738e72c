// A leader board that sorts all scores after each game.
// culprit: add_result, play
#include <algorithm>
#include <cstdio>
#include <random>
#include <set>
#include <vector>

struct Score {
  int points, player;
  bool operator<(const Score& other) const { return points > other.points || (points == other.points && player < other.player); }
};

struct Board {
#ifdef REPAIRED
  std::set<Score> scores;
  void add_result(Score score) { scores.insert(score); }
  int leader() const { return scores.begin()->player; }
#else
  std::vector<Score> scores;
  void add_result(Score score) {
    scores.push_back(score);
    std::sort(scores.begin(), scores.end()); // CULPRIT
  }
  int leader() const { return scores.front().player; }
#endif
};

static int simulate_game(std::mt19937& random) {
  int points = 0;
  for (int round = 0; round < 20; round++) points += random() % 50;
  return points;
}

static long play(int games) {
  std::mt19937 random(1);
  Board board;
  long sum = 0;
  for (int game = 0; game < games; game++) {
    board.add_result({simulate_game(random), game});
    sum += board.leader();
  }
  return sum;
}

int main() { std::printf("%ld\n", play(1200)); }
