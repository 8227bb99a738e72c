// A reader that reserves room for exactly one more sample each time.
// culprit: add, read_samples
#include <cstdio>
#include <vector>

struct Sample {
  double time, value;
};

class Series {
  std::vector<Sample> samples_;

public:
  void add(Sample sample) {
#ifndef REPAIRED
    samples_.reserve(samples_.size() + 1); // CULPRIT
#endif
    samples_.push_back(sample);
  }
  double mean() const {
    double sum = 0;
    for (const auto& sample : samples_) sum += sample.value;
    return sum / static_cast<double>(samples_.size());
  }
};

static double filter(double value, int taps) {
  double out = 0;
  for (int k = 0; k < taps; k++) out += value / (k + 1);
  return out;
}

static double read_samples(int n) {
  Series series;
  for (int i = 0; i < n; i++) series.add({i * 0.001, filter(i % 100, 10)});
  return series.mean();
}

int main() {
  double sum = 0;
  for (int n = 1000; n <= 8000; n += 1000) sum += read_samples(n);
  std::printf("%g\n", sum);
}
