// A play list, shown by position; it is a linked list.
// culprit: at, show
#include <cstdio>
#include <iterator>
#include <list>
#include <string>
#include <vector>

struct Song {
  std::string title;
  int seconds;
};

class PlayList {
#ifdef REPAIRED
  std::vector<Song> songs_;
#else
  std::list<Song> songs_;
#endif

public:
  void add(Song song) { songs_.push_back(std::move(song)); }
  int size() const { return static_cast<int>(songs_.size()); }
#ifdef REPAIRED
  const Song& at(int i) const { return songs_[i]; }
#else
  const Song& at(int i) const { return *std::next(songs_.begin(), i); } // CULPRIT
#endif
};

static int show(const PlayList& list) {
  int minutes = 0;
  for (int i = 0; i < list.size(); i++) {
    const Song& song = list.at(i);
    char line[64];
    minutes += std::snprintf(line, sizeof line, "%d. %s (%d:%02d)", i + 1, song.title.c_str(), song.seconds / 60, song.seconds % 60);
  }
  return minutes;
}

int main() {
  long sum = 0;
  for (int n = 500; n <= 4000; n += 500) {
    PlayList list;
    for (int i = 0; i < n; i++) list.add({"song " + std::to_string(i), 120 + i % 200});
    sum += show(list);
  }
  std::printf("%ld\n", sum);
}
