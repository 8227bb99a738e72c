// A log in a string stream, whose length is asked for through a copy of all its text.
// culprit: line, write_log, is_full
#include <cstdio>
#include <sstream>

class Log {
  std::ostringstream out_;

public:
  bool is_full() {
#ifdef REPAIRED
    return out_.tellp() > 1'000'000;
#else
    return out_.str().size() > 1'000'000; // CULPRIT
#endif
  }
  void line(int number) {
    if (!is_full()) out_ << "request " << number << " took " << number % 37 << " ms\n";
  }
  size_t size() const { return out_.str().size(); }
};

int main() {
  Log log;
  for (int i = 0; i < 2500; i++) log.line(i);
  std::printf("%zu\n", log.size());
}
