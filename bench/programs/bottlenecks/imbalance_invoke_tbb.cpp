// KIND imbalance, NAMES search|scan|main|Archive: parallel_invoke of four searches, of which one has nearly all of the data.
#include <cstdio>
#include <string>
#include <tbb/parallel_invoke.h>
#include <vector>

class Archive {
public:
  explicit Archive(int lines) {
    for (int i = 0; i < lines; i++)
      lines_.push_back("entry " + std::to_string(i * 2654435761u));
  }
  int search(char wanted) const {
    int hits = 0;
    for (auto& line : lines_)
      for (char c : line)
        hits += c == wanted;
    return hits;
  }

private:
  std::vector<std::string> lines_;
};

int main() {
#ifdef FIXED
  const Archive a(700), b(700), c(700), d(700);
#else
  const Archive a(150), b(2200), c(200), d(250);
#endif
  int hits[4] = {};
  for (int round = 0; round < 40; round++)
    tbb::parallel_invoke([&] { hits[0] += a.search('1' + round % 9); },
                         [&] { hits[1] += b.search('1' + round % 9); }, // CULPRIT
                         [&] { hits[2] += c.search('1' + round % 9); },
                         [&] { hits[3] += d.search('1' + round % 9); });
  std::printf("%d\n", hits[0] + hits[1] + hits[2] + hits[3]);
}
