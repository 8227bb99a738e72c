// Writes the moves of the towers of Hanoi: there are as many, and each is a line of text.
#include <cstdio>
#include <string>

static void move(int discs, const std::string& from, const std::string& to, const std::string& by) {
  if (discs == 0) return;
  move(discs - 1, from, by, to);
  std::string line = "disc " + std::to_string(discs) + " from " + from + " to " + to + "\n";
  std::fwrite(line.data(), 1, line.size(), stdout);
  move(discs - 1, by, to, from);
}

int main() { move(13, "the left peg", "the right peg", "the middle peg"); }
