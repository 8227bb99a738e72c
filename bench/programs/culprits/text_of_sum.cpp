// An expression says itself in words; each of its nodes copies the text of those below.
// culprit: text
#include <cstdio>
#include <memory>
#include <string>

struct Node {
  virtual ~Node() = default;
#ifdef REPAIRED
  virtual void write(std::string& out) const = 0;
  std::string text() const {
    std::string out;
    write(out);
    return out;
  }
#else
  virtual std::string text() const = 0;
#endif
};

struct Number : Node {
  int value;
  explicit Number(int value) : value(value) {}
#ifdef REPAIRED
  void write(std::string& out) const override { out += std::to_string(value); }
#else
  std::string text() const override { return std::to_string(value); }
#endif
};

struct Sum : Node {
  std::unique_ptr<Node> left, right;
  Sum(std::unique_ptr<Node> left, std::unique_ptr<Node> right)
      : left(std::move(left)), right(std::move(right)) {}
#ifdef REPAIRED
  void write(std::string& out) const override {
    out += '(';
    left->write(out);
    out += " + ";
    right->write(out);
    out += ')';
  }
#else
  std::string text() const override {
    return "(" + left->text() + " + " + right->text() + ")";
  } // CULPRIT
#endif
};

int main() {
  size_t length = 0;
  for (int n = 200; n <= 2400; n += 200) {
    std::unique_ptr<Node> all = std::make_unique<Number>(0);
    for (int i = 1; i < n; i++)
      all = std::make_unique<Sum>(std::move(all), std::make_unique<Number>(i * 37));
    length += all->text().size();
  }
  std::printf("%zu\n", length);
}
