// Escapes text for XML in place: the rest is moved for each character that needs it.
// culprit: escape, document
#include <cstdio>
#include <string>

namespace xml {

inline const char* entity_of(char c) {
  switch (c) {
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '&': return "&amp;";
  default: return nullptr;
  }
}

#ifdef REPAIRED
inline void escape(std::string& text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (char c : text)
    if (const char* entity = entity_of(c))
      escaped += entity;
    else
      escaped += c;
  text.swap(escaped);
}
#else
inline void escape(std::string& text) {
  for (size_t i = 0; i < text.size(); i++)
    if (const char* entity = entity_of(text[i])) text.replace(i, 1, entity); // CULPRIT
}
#endif

class Writer {
  std::string out_;

public:
  Writer& element(const std::string& name, std::string text) {
    escape(text);
    out_ += "<" + name + ">" + text + "</" + name + ">\n";
    return *this;
  }
  size_t size() const { return out_.size(); }
};

} // namespace xml

static size_t document(int comparisons) {
  std::string text;
  for (int i = 0; i < comparisons; i++) text += "a < b && c > d ";
  return xml::Writer().element("title", "on <order>").element("code", text).size();
}

int main() {
  size_t sum = 0;
  for (int comparisons = 100; comparisons <= 2400; comparisons += 100) sum += document(comparisons);
  std::printf("%zu\n", sum);
}
