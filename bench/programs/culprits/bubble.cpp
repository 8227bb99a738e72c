// Sorts shapes by their area with a bubble sort over a virtual function.
// culprit: sort_by_area, arrange, area
#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

class Shape {
public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

class Box : public Shape {
  double width_, height_;

public:
  Box(double width, double height) : width_(width), height_(height) {}
  double area() const override { return width_ * height_; }
};

class Disc : public Shape {
  double radius_;

public:
  explicit Disc(double radius) : radius_(radius) {}
  double area() const override { return 3.14159 * radius_ * radius_; }
};

using Shapes = std::vector<std::unique_ptr<Shape>>;

static void sort_by_area(Shapes& shapes) {
#ifdef REPAIRED
  std::sort(shapes.begin(), shapes.end(), [](const auto& a, const auto& b) { return a->area() < b->area(); });
#else
  for (size_t end = shapes.size(); end > 1; end--)
    for (size_t i = 1; i < end; i++) // CULPRIT
      if (shapes[i]->area() < shapes[i - 1]->area()) std::swap(shapes[i], shapes[i - 1]);
#endif
}

static double arrange(int number) {
  Shapes shapes;
  for (int i = 0; i < number; i++) {
    if (i % 2)
      shapes.push_back(std::make_unique<Box>(1 + i * 31 % 97, 2));
    else
      shapes.push_back(std::make_unique<Disc>(1 + i * 17 % 11));
  }
  sort_by_area(shapes);
  return shapes[number / 2]->area();
}

int main() {
  double sum = 0;
  for (int number = 50; number <= 600; number += 50) sum += arrange(number);
  std::printf("%g\n", sum);
}
