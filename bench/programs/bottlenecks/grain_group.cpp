// KIND grain, NAMES update|main: a tbb::task_group runs a task for each particle.
#include <cstdio>
#include <tbb/task_group.h>
#include <vector>

struct Particle {
  double at, speed;
  void move(double dt) {
    for (int i = 0; i < 12; i++)
      at += (speed - at * 0.01) * dt;
  }
};

static void update(std::vector<Particle>& particles, double dt) {
  tbb::task_group group;
#ifdef FIXED
  for (size_t first = 0; first < particles.size(); first += 500)
    group.run([&particles, first, dt] {
      for (size_t i = first; i < first + 500; i++)
        particles[i].move(dt);
    });
#else
  for (Particle& particle : particles)
    group.run([&particle, dt] { particle.move(dt); }); // CULPRIT
#endif
  group.wait();
}

int main() {
  std::vector<Particle> particles(2000, Particle{0, 1});
  update(particles, 0.1);
  update(particles, 0.1);
  std::printf("%g\n", particles[7].at);
}
