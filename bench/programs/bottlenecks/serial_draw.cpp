// KIND serial, NAMES draw|Scene|Canvas: particles move in async tasks; then the frame is drawn by the caller.
#include <cmath>
#include <cstdio>
#include <future>
#include <vector>

struct Particle {
  double x, y, vx, vy;
};

struct Canvas {
  std::vector<unsigned> pixels = std::vector<unsigned>(64 * 64);
  void draw(const Particle* from, const Particle* to) {
    for (auto p = from; p != to; ++p) // CULPRIT
      for (int dx = -2; dx <= 2; dx++)
        for (int dy = -2; dy <= 2; dy++)
          pixels[(int(p->x + dx) & 63) * 64 + (int(p->y + dy) & 63)]++;
  }
};

class Scene {
public:
  Scene() : all_(4000) {
    for (size_t i = 0; i < all_.size(); i++)
      all_[i] = {i * .1, i * .2, 1.0 / (i + 1), .3};
  }
  void frame() {
    std::vector<std::future<void>> tasks;
    for (int part = 0; part < 4; part++)
      tasks.push_back(std::async(std::launch::async, [this, part] {
        Particle* from = &all_[part * 1000];
        for (auto p = from; p != from + 1000; ++p)
          for (int s = 0; s < 30; s++) {
            p->x += p->vx;
            p->y += p->vy;
            p->vx *= .99;
            p->vy = p->vy * .98 + .01;
          }
#ifdef FIXED
        parts_[part].draw(from, from + 1000);
#endif
      }));
    for (auto& task : tasks)
      task.get();
#ifndef FIXED
    canvas_.draw(&all_[0], &all_[0] + all_.size());
#endif
  }
  unsigned sum() const {
    unsigned s = 0;
    for (unsigned p : canvas_.pixels)
      s += p;
    for (auto& c : parts_)
      s += c.pixels[5];
    return s;
  }

private:
  std::vector<Particle> all_;
  Canvas canvas_, parts_[4];
};

int main() {
  Scene scene;
  for (int f = 0; f < 8; f++)
    scene.frame();
  std::printf("%u\n", scene.sum());
}
