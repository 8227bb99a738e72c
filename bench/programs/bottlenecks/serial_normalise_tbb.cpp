// KIND serial phase, NAMES normalise: a parallel_for fills an array, of which a plain loop then makes shares.
#include <cstdio>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <vector>

static double weight(int i) {
  double x = i;
  for (int k = 0; k < 20; k++)
    x = x * 0.5 + k;
  return x;
}

static void normalise(std::vector<double>& weights) {
  double sum = 0;
  for (double w : weights) // CULPRIT
    sum += w;
#ifdef FIXED
  tbb::parallel_for(tbb::blocked_range<int>(0, weights.size(), 1000), [&](const tbb::blocked_range<int>& r) {
    for (int i = r.begin(); i < r.end(); i++)
      for (int k = 0; k < 6; k++)
        weights[i] = weights[i] / sum + k;
  });
#else
  for (double& w : weights)
    for (int k = 0; k < 6; k++)
      w = w / sum + k;
#endif
}

int main() {
  std::vector<double> weights(20000);
  tbb::parallel_for(tbb::blocked_range<int>(0, weights.size(), 500), [&](const tbb::blocked_range<int>& r) {
    for (int i = r.begin(); i < r.end(); i++)
      weights[i] = weight(i);
  });
  normalise(weights);
  std::printf("%g\n", weights[77]);
}
