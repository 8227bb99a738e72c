// A spreadsheet that computes all of its cells again whenever one is set.
// culprit: set, recompute, value, fill
#include <cstdio>
#include <memory>
#include <vector>

class Cell {
public:
  virtual ~Cell() = default;
  virtual double value(const std::vector<double>& values) const = 0;
};

class Number : public Cell {
  double number_;

public:
  explicit Number(double number) : number_(number) {}
  double value(const std::vector<double>&) const override { return number_; }
};

class Sum : public Cell {
  int a_, b_;

public:
  Sum(int a, int b) : a_(a), b_(b) {}
  double value(const std::vector<double>& values) const override { return values[a_] + values[b_]; }
};

class Sheet {
  std::vector<std::unique_ptr<Cell>> cells_;
  std::vector<double> values_;

  void recompute() {
    for (size_t i = 0; i < cells_.size(); i++) values_[i] = cells_[i]->value(values_); // CULPRIT
  }

public:
  void set(std::unique_ptr<Cell> cell) {
    cells_.push_back(std::move(cell));
    values_.push_back(0);
#ifdef REPAIRED
    values_.back() = cells_.back()->value(values_);
#else
    recompute();
#endif
  }
  double last() const { return values_.back(); }
};

static double fill(int rows) {
  Sheet sheet;
  for (int i = 0; i < rows; i++) {
    if (i < 2 || i % 3 == 0)
      sheet.set(std::make_unique<Number>(i));
    else
      sheet.set(std::make_unique<Sum>(i - 1, i - 2));
  }
  return sheet.last();
}

int main() { std::printf("%g\n", fill(1500)); }
