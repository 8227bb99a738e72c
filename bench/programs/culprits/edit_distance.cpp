// Suggests the nearest known word; the distance is a plain recursion.
// culprit: distance
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#ifdef REPAIRED
static int distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++) row[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); i++) {
    int diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); j++) {
      int changed = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}
#else
static int distance(const char* a, const char* b) { // CULPRIT
  if (!*a || !*b) return static_cast<int>(std::string(*a ? a : b).size());
  if (*a == *b) return distance(a + 1, b + 1);
  return 1 + std::min({distance(a + 1, b), distance(a, b + 1), distance(a + 1, b + 1)});
}
static int distance(const std::string& a, const std::string& b) { return distance(a.c_str(), b.c_str()); }
#endif

static std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  int least = 1 << 30;
  for (const auto& each : known) {
    int d = distance(word, each);
    if (d < least) {
      least = d;
      best = each;
    }
  }
  return best;
}

int main() {
  std::vector<std::string> known = {"receive", "believe", "separate", "definite", "occurred", "weird", "until", "which"};
  for (const char* word : {"recieve", "beleive", "seperate", "definate", "occured", "wierd", "untill", "wich"})
    std::printf("%s -> %s\n", word, nearest(word, known).c_str());
}
