// Reads a document of nested arrays and objects by recursive descent.
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Value {
  double number = 0;
  std::string text;
  std::vector<std::unique_ptr<Value>> items;
  std::map<std::string, std::unique_ptr<Value>> members;
};

class Parser {
  const std::string& text_;
  size_t at_ = 0;

public:
  explicit Parser(const std::string& text) : text_(text) {}
  std::unique_ptr<Value> value() {
    auto made = std::make_unique<Value>();
    if (text_[at_] == '[') {
      for (at_++; text_[at_] != ']';) {
        made->items.push_back(value());
        if (text_[at_] == ',') at_++;
      }
      at_++;
    } else if (text_[at_] == '{') {
      for (at_++; text_[at_] != '}';) {
        std::string key = string();
        at_++;
        made->members[key] = value();
        if (text_[at_] == ',') at_++;
      }
      at_++;
    } else if (text_[at_] == '"') {
      made->text = string();
    } else {
      size_t end = at_;
      while (text_[end] >= '0' && text_[end] <= '9') end++;
      made->number = std::stod(text_.substr(at_, end - at_));
      at_ = end;
    }
    return made;
  }
  std::string string() {
    size_t end = text_.find('"', at_ + 1);
    std::string found = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return found;
  }
};

static size_t count(const Value& value) {
  size_t n = 1;
  for (const auto& item : value.items) n += count(*item);
  for (const auto& [key, member] : value.members) n += count(*member);
  return n;
}

int main() {
  size_t values = 0;
  for (int n = 50; n <= 500; n += 50) {
    std::string text = "[";
    for (int i = 0; i < n; i++) text += (i ? "," : "") + std::string("{\"id\":") + std::to_string(i) + ",\"tags\":[\"a\",\"b" + std::to_string(i % 7) + "\"]}";
    values += count(*Parser(text + "]").value());
  }
  std::printf("%zu\n", values);
}
