// Builds texts by appending, splits them and joins the pieces again.
#include <cstdio>
#include <string>
#include <vector>

static std::string make_text(int lines) {
  std::string text;
  for (int i = 0; i < lines; i++) {
    text += "line ";
    text += std::to_string(i);
    text += " of the text\n";
  }
  return text;
}

static std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> pieces;
  size_t from = 0;
  for (size_t at; (at = text.find(by, from)) != std::string::npos; from = at + 1) pieces.push_back(text.substr(from, at - from));
  pieces.push_back(text.substr(from));
  return pieces;
}

static std::string join(const std::vector<std::string>& pieces, const std::string& by) {
  std::string all;
  for (const auto& piece : pieces) {
    if (!all.empty()) all += by;
    all += piece;
  }
  return all;
}

int main() {
  size_t bytes = 0;
  for (int lines = 100; lines <= 2000; lines += 100) bytes += join(split(make_text(lines), '\n'), "; ").size();
  std::printf("%zu\n", bytes);
}
