// A text view that splits the document into lines for each line that it shows.
// culprit: line, lines, show, split
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

class Document {
  std::string text_;
#ifdef REPAIRED
  mutable std::vector<std::string> lines_;
#endif

public:
  explicit Document(std::string text) : text_(std::move(text)) {}
#ifdef REPAIRED
  const std::vector<std::string>& lines() const {
    if (lines_.empty()) split(lines_);
    return lines_;
  }
#else
  std::vector<std::string> lines() const {
    std::vector<std::string> found;
    split(found); // CULPRIT
    return found;
  }
#endif
  std::string line(size_t number) const { return lines()[number]; }

private:
  void split(std::vector<std::string>& into) const {
    std::istringstream in(text_);
    for (std::string line; std::getline(in, line);) into.push_back(line);
  }
};

static size_t show(int lines) {
  std::string text;
  for (int i = 0; i < lines; i++) text += "line " + std::to_string(i) + (i % 5 ? " of text\n" : "\n");
  Document document(text);
  size_t width = 0;
  for (int i = 0; i < lines; i++) width += document.line(i).size();
  return width;
}

int main() {
  size_t sum = 0;
  for (int lines = 20; lines <= 220; lines += 20) sum += show(lines);
  std::printf("%zu\n", sum);
}
