// A recursive descent parser that tries one alternative after the other, each from the start.
// culprit: sum, product, atom
#include <cstdio>
#include <string>

class Parser {
  const std::string& text_;

public:
  explicit Parser(const std::string& text) : text_(text) {}

  // Each returns where it ends, or 0.
  size_t atom(size_t at, long& value) const {
    if (text_[at] == '(') {
      size_t end = sum(at + 1, value);
      return end && text_[end] == ')' ? end + 1 : 0;
    }
    value = text_[at] - '0';
    return text_[at] >= '0' && text_[at] <= '9' ? at + 1 : 0;
  }
#ifdef REPAIRED
  size_t sum(size_t at, long& value) const {
    size_t end = atom(at, value);
    if (!end || (text_[end] != '+' && text_[end] != '-')) return end;
    long right = 0;
    size_t after = sum(end + 1, right);
    value = text_[end] == '+' ? value + right : value - right;
    return after;
  }
#else
  size_t sum(size_t at, long& value) const {
    long left = 0, right = 0;
    for (char sign : {'+', '-'}) { // CULPRIT
      size_t end = atom(at, left);
      if (end && text_[end] == sign) {
        end = sum(end + 1, right);
        value = sign == '+' ? left + right : left - right;
        if (end) return end;
      }
    }
    return atom(at, value);
  }
#endif
};

int main() {
  long all = 0;
  for (int depth = 1; depth <= 9; depth++) {
    std::string text = std::string(depth, '(') + "7";
    for (int i = 0; i < depth; i++) text += i % 2 ? ")" : "-2)";
    long value = 0;
    if (Parser(text).sum(0, value)) all += value;
  }
  std::printf("%ld\n", all);
}
