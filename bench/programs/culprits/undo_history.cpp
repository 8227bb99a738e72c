// An editor that keeps a copy of the document for each edit.
// culprit: edit, type_text
#include <cstdio>
#include <string>
#include <vector>

struct Change {
  size_t at;
  char what;
};

class Document {
  std::vector<std::string> lines_{1};
#ifdef REPAIRED
  std::vector<Change> history_;
#else
  std::vector<std::vector<std::string>> history_;
#endif

public:
  void edit(char c) {
#ifdef REPAIRED
    history_.push_back({lines_.size(), c});
#else
    history_.push_back(lines_); // CULPRIT
#endif
    if (c == '\n') lines_.emplace_back();
    else lines_.back() += c;
  }
  size_t versions() const { return history_.size(); }
  size_t words() const {
    size_t n = 0;
    for (const auto& line : lines_)
      for (char c : line) n += c == ' ';
    return n;
  }
};

static void type_text(Document& document, int letters) {
  for (int i = 0; i < letters; i++) document.edit(i % 20 == 19 ? '\n' : i % 6 == 5 ? ' ' : static_cast<char>('a' + i % 26));
}

int main() {
  Document document;
  type_text(document, 1500);
  std::printf("%zu words, %zu versions\n", document.words(), document.versions());
}
