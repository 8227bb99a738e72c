// KIND serial, NAMES keep_alive|is_dead: particles move in threads of a pool of jthreads; the dead ones are erased by the caller.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

struct Particle {
  float x, y, age;
};

class Swarm {
public:
  explicit Swarm(size_t count) : particles_(count) {
    for (size_t i = 0; i < count; i++)
      particles_[i] = {float(i % 97), float(i % 61), float(i % 40)};
  }
  void step() {
    in_threads([this](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i++) {
        Particle& p = particles_[i];
        p.x += 0.01f * p.y;
        p.y -= 0.01f * p.x;
        p.age += 0.25f;
      }
    });
    keep_alive();
  }
  size_t size() const { return particles_.size(); }

private:
  template <typename F> void in_threads(F body) {
    constexpr size_t kThreads = 4;
    std::vector<std::jthread> threads;
    const size_t count = particles_.size();
    for (size_t t = 0; t < kThreads; t++)
      threads.emplace_back(body, count * t / kThreads, count * (t + 1) / kThreads);
  }
  static bool is_dead(const Particle& p) {
    return p.age > 45 || std::sqrt(p.x * p.x + p.y * p.y) > 150;
  }
  void keep_alive() {
#ifdef FIXED
    in_threads([this](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i++)
        if (is_dead(particles_[i]))
          particles_[i] = {1, 1, 0};
    });
#else
    auto end = std::remove_if(particles_.begin(), particles_.end(), is_dead); // CULPRIT
    particles_.erase(end, particles_.end());
#endif
  }
  std::vector<Particle> particles_;
};

int main() {
  Swarm swarm(12000);
  for (int i = 0; i < 12; i++)
    swarm.step();
  std::printf("%zu\n", swarm.size());
}
