// A tokenizer that cuts each token off the front of the text.
// culprit: next_token, evaluate
#include <cctype>
#include <cstdio>
#include <string>

static std::string make_expression(int terms) {
  std::string text = "1";
  for (int i = 2; i <= terms; i++) text += (i % 3 ? " + " : " - ") + std::to_string(i % 1000);
  return text;
}

#ifdef REPAIRED
struct Lexer {
  const std::string& text;
  size_t at = 0;
  bool next_token(std::string& token) {
    while (at < text.size() && text[at] == ' ') at++;
    if (at == text.size()) return false;
    size_t end = at + 1;
    if (std::isdigit(text[at]))
      while (end < text.size() && std::isdigit(text[end])) end++;
    token = text.substr(at, end - at);
    at = end;
    return true;
  }
};
#else
struct Lexer {
  std::string rest;
  bool next_token(std::string& token) {
    while (!rest.empty() && rest[0] == ' ') rest = rest.substr(1);
    if (rest.empty()) return false;
    size_t end = 1;
    if (std::isdigit(rest[0]))
      while (end < rest.size() && std::isdigit(rest[end])) end++;
    token = rest.substr(0, end);
    rest = rest.substr(end); // CULPRIT
    return true;
  }
};
#endif

static long evaluate(const std::string& text) {
  Lexer lexer{text};
  std::string token;
  long sum = 0, sign = 1;
  while (lexer.next_token(token)) {
    if (token == "+") sign = 1;
    else if (token == "-") sign = -1;
    else sum += sign * std::stol(token);
  }
  return sum;
}

int main() { std::printf("%ld\n", evaluate(make_expression(3000))); }
