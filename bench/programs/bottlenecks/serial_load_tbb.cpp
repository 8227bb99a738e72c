// KIND serial, NAMES load|main: points are loaded and parsed by one thread, then moved by tbb::parallel_for.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <vector>

static std::vector<double> load(const std::string& text) { // CULPRIT
  std::vector<double> points;
  const char* at = text.c_str();
  while (*at != '\0') {
    char* end;
    points.push_back(std::strtod(at, &end));
    at = end + 1;
  }
  return points;
}

int main() {
  tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 4);
  std::string text;
#ifdef FIXED
  for (int i = 0; i < 60; i++)
#else
  for (int i = 0; i < 3000; i++)
#endif
    text += std::to_string(i * 0.37) + ",";
  std::vector<double> points = load(text);
  points.resize(3000, 1.5);
  tbb::parallel_for(tbb::blocked_range<size_t>(0, points.size(), 100), [&](const auto& range) {
    for (size_t i = range.begin(); i < range.end(); i++)
      for (int k = 0; k < 200; k++)
        points[i] = points[i] * 0.99 + 1.0 / (k + 1);
  });
  std::printf("%f\n", points[77]);
}
