// KIND imbalance, NAMES main|simplify: threads take meshes by an atomic counter; the last mesh is far larger than the others.
#include <atomic>
#include <cstdio>
#include <numeric>
#include <algorithm>
#include <thread>
#include <vector>

struct Mesh {
  std::vector<float> vertices;
  float simplify() {
    float error = 0;
    for (int pass = 0; pass < 60; pass++)
      for (size_t i = 2; i < vertices.size(); i++) {
        vertices[i] = 0.5f * vertices[i - 1] + 0.5f * vertices[i - 2] + 0.1f * vertices[i];
        error += vertices[i];
      }
    return error;
  }
};

int main() {
  std::vector<Mesh> meshes;
  for (int i = 0; i < 24; i++)
    meshes.push_back({std::vector<float>(400 + i * 10, 1.0f + i)});
#ifdef FIXED
  for (int i = 0; i < 24; i++)
    meshes.push_back({std::vector<float>(500, 7.0f)});
#else
  meshes.push_back({std::vector<float>(12000, 7.0f)});
#endif
  std::atomic<size_t> next{0};
  std::vector<float> errors(meshes.size());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&] {
      for (size_t i; (i = next.fetch_add(1)) < meshes.size();)
        errors[i] = meshes[i].simplify(); // CULPRIT
    });
  for (auto& thread : threads)
    thread.join();
  std::printf("%g\n", std::accumulate(errors.begin(), errors.end(), 0.0f));
}
