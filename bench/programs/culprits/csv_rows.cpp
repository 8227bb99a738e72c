// Writes a table as text; each row makes a new string of all rows before it.
// culprit: to_csv
#include <cstdio>
#include <string>
#include <vector>

struct Row {
  int id;
  double price;
  std::string name;
};

static std::vector<Row> make_rows(int n) {
  std::vector<Row> rows;
  for (int i = 0; i < n; i++) rows.push_back({i, i * 1.25, "item-" + std::to_string(i * 7919 % n)});
  return rows;
}

static std::string escape(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

static std::string to_csv(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    std::string line = std::to_string(row.id) + "," + escape(row.name) + "," + std::to_string(row.price) + "\n";
#ifdef REPAIRED
    text += line;
#else
    text = text + line; // CULPRIT
#endif
  }
  return text;
}

int main() {
  size_t bytes = 0;
  for (int n = 500; n <= 3000; n += 500) bytes += to_csv(make_rows(n)).size();
  std::printf("%zu bytes\n", bytes);
}
