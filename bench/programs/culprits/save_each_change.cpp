// Settings that write the whole document anew at each change.
// culprit: save, set, import_settings, serialize
#include <cstdio>
#include <map>
#include <string>

class Settings {
  std::map<std::string, std::string> values_;
  std::string saved_;

public:
  void set(const std::string& key, const std::string& value) {
    values_[key] = value;
#ifndef REPAIRED
    save();
#endif
  }
  void save() {
    std::string text = "{\n";
    for (const auto& [key, value] : values_) text += "  \"" + key + "\": \"" + value + "\",\n"; // CULPRIT
    saved_ = text + "}\n";
  }
  size_t bytes() const { return saved_.size(); }
};

static size_t import_settings(int n) {
  Settings settings;
  for (int i = 0; i < n; i++) settings.set("window." + std::to_string(i), std::to_string(i * i));
  settings.save();
  return settings.bytes();
}

int main() { std::printf("%zu bytes\n", import_settings(500)); }
