// Parses and evaluates sums of fractions of several lengths, by recursive descent.
#include <cctype>
#include <cstdio>
#include <numeric>
#include <string>

struct Fraction {
  long up, down;
};

class Parser {
  const char* at_;
  long number() {
    long value = 0;
    while (std::isdigit(static_cast<unsigned char>(*at_))) value = value * 10 + (*at_++ - '0');
    return value;
  }
  Fraction atom() {
    if (*at_ == '(') {
      at_++;
      Fraction inner = sum();
      at_++;
      return inner;
    }
    long up = number();
    if (*at_ != '/') return {up, 1};
    at_++;
    return {up, number()};
  }

public:
  explicit Parser(const std::string& text) : at_(text.c_str()) {}
  Fraction sum() {
    Fraction all = atom();
    while (*at_ == '+') {
      at_++;
      Fraction next = atom();
      long common = std::gcd(all.down, next.down);
      all = {(all.up * (next.down / common) + next.up * (all.down / common)) % 9973, all.down / common * next.down % 5040 + 1};
    }
    return all;
  }
};

int main() {
  long checks = 0;
  for (int n = 200; n <= 3000; n += 200) {
    std::string text;
    for (int i = 0; i < n; i++) {
      if (i) text += '+';
      text += i % 5 ? std::to_string(i % 13) + "/" + std::to_string(2 + i % 7) : "(1/2+" + std::to_string(i % 10) + ")";
    }
    checks += Parser(text).sum().up;
  }
  std::printf("%ld\n", checks);
}
