// Replaces a placeholder in a template; looks for the next one from the start of the text.
// culprit: expand, replace_all
#include <cstdio>
#include <string>

static std::string make_template(int fields) {
  std::string text;
  for (int i = 0; i < fields; i++) text += "<td>column " + std::to_string(i) + ": {}</td>\n";
  return text;
}

static std::string expand(std::string text, const std::string& value) {
  size_t from = 0;
  while (true) {
#ifdef REPAIRED
    static std::string out;
    size_t place = text.find("{}", from);
    if (from == 0) out.clear();
    out.append(text, from, place == std::string::npos ? place : place - from);
    if (place == std::string::npos) return out;
    out += value;
    from = place + 2;
#else
    size_t place = text.find("{}", from);
    if (place == std::string::npos) return text;
    text.replace(place, 2, value); // CULPRIT
#endif
  }
}

int main() {
  size_t bytes = 0;
  for (int fields = 100; fields <= 800; fields += 100) bytes += expand(make_template(fields), "value of it").size();
  std::printf("%zu\n", bytes);
}
