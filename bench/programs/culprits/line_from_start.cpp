// Shows every tenth line of a file; each time reads the file from its start.
// culprit: line_at, sample
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>
#include <unistd.h>

static std::string path = "/tmp/lines." + std::to_string(getpid());

static void write_lines(int n) {
  std::ofstream out(path);
  for (int i = 0; i < n; i++) out << "entry " << i << " of the journal, " << i * 7919 % 1000 << " bytes\n";
}

#ifdef REPAIRED
static std::string line_at(int number) {
  static std::vector<std::string> lines;
  if (lines.empty()) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
  }
  return lines[number];
}
#else
static std::string line_at(int number) {
  std::ifstream in(path);
  std::string line;
  for (int i = 0; i <= number; i++) std::getline(in, line); // CULPRIT
  return line;
}
#endif

static long sample(int n) {
  long sum = 0;
  for (int i = 0; i < n; i += 10) sum += static_cast<long>(line_at(i).size());
  return sum;
}

int main() {
  write_lines(1500);
  std::printf("%ld\n", sample(1500));
  std::remove(path.c_str());
}
