// A skeleton of bones; the place of each is computed through all its ancestors.
// culprit: world, draw, pose
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

struct Transform {
  double turn = 0, x = 0, y = 0;
  Transform operator*(const Transform& inner) const {
    double c = std::cos(turn), s = std::sin(turn);
    return {turn + inner.turn, x + c * inner.x - s * inner.y, y + s * inner.x + c * inner.y};
  }
};

class Bone {
  const Bone* parent_;
  Transform local_;
#ifdef REPAIRED
  mutable bool known_ = false;
  mutable Transform world_;
#endif

public:
  Bone(const Bone* parent, Transform local) : parent_(parent), local_(local) {}
  virtual ~Bone() = default;
  Transform world() const {
#ifdef REPAIRED
    if (!known_) world_ = parent_ ? parent_->world() * local_ : local_;
    known_ = true;
    return world_;
#else
    Transform all = local_;
    for (const Bone* bone = parent_; bone; bone = bone->parent_) all = bone->local_ * all; // CULPRIT
    return all;
#endif
  }
  virtual double draw() const {
    Transform at = world();
    return at.x + at.y;
  }
};

static double pose(int bones) {
  std::vector<std::unique_ptr<Bone>> body;
  for (int i = 0; i < bones; i++)
    body.push_back(std::make_unique<Bone>(i ? body.back().get() : nullptr, Transform{0.001 * i, 1, 0}));
  double sum = 0;
  for (const auto& bone : body) sum += bone->draw();
  return sum;
}

int main() {
  double sum = 0;
  for (int bones = 20; bones <= 300; bones += 20) sum += pose(bones);
  std::printf("%g\n", sum);
}
