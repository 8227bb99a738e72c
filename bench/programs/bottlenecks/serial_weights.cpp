// KIND serial, NAMES draw_weights: layers are evaluated in parallel, but their weights are drawn one after the other.
#include <cstdio>
#include <vector>

constexpr int kInputs = 96, kUnits = 96, kBatch = 12;

struct Generator {
  unsigned long state = 1;
  float next() {
    float sum = 0;
    for (int i = 0; i < 8; i++) {
      state = state * 6364136223846793005ul + 1442695040888963407ul;
      sum += state >> 40;
    }
    return sum;
  }
};

static void draw_weights(std::vector<float>& weights, Generator& generator) {
#ifdef FIXED
#pragma omp parallel for
  for (int unit = 0; unit < kUnits; unit++) {
    Generator own{generator.state + unit};
    for (int i = 0; i < kInputs; i++)
      weights[unit * kInputs + i] = own.next();
  }
#else
  for (float& weight : weights)
    weight = generator.next(); // CULPRIT
#endif
}

static void evaluate(const std::vector<float>& weights, const std::vector<float>& in, std::vector<float>& out) {
#pragma omp parallel for
  for (int unit = 0; unit < kUnits; unit++)
    for (int b = 0; b < kBatch; b++) {
      float sum = 0;
      for (int i = 0; i < kInputs; i++)
        sum += weights[unit * kInputs + i] * in[b * kInputs + i];
      out[b * kUnits + unit] = sum > 0 ? sum : 0;
    }
}

int main() {
  std::vector<float> weights(kInputs * kUnits), in(kBatch * kInputs, 0.5f), out(kBatch * kUnits);
  Generator generator;
  for (int layer = 0; layer < 5; layer++) {
    draw_weights(weights, generator);
    evaluate(weights, in, out);
    in.swap(out);
  }
  std::printf("%g\n", in[7]);
}
