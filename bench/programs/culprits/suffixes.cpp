// Sorts all suffixes of a text by comparing them as strings; the text repeats itself.
// culprit: sort_suffixes, operator(), compare, longest_repeat
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

static std::string make_text(int n) {
  std::string text;
  unsigned state = 1;
  for (int i = 0; i < n; i++) {
#ifdef REPAIRED
    state = state * 1664525 + 1013904223;
    text += static_cast<char>('a' + (state >> 16) % 26);
#else
    (void)state;
    text += static_cast<char>('a' + i % 4);
#endif
  }
  return text;
}

static std::vector<int> sort_suffixes(const std::string& text) {
  std::vector<int> order(text.size());
  for (size_t i = 0; i < order.size(); i++) order[i] = static_cast<int>(i);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const char *p = &text[a], *q = &text[b];
    while (*p && *p == *q) p++, q++; // CULPRIT
    return *p < *q;
  });
  return order;
}

static long position_sum(const std::vector<int>& order) {
  long sum = 0;
  for (size_t i = 0; i < order.size(); i++) sum += order[i] * static_cast<long>(i % 5);
  return sum;
}

int main() {
  long sum = 0;
  for (int n = 100; n <= 700; n += 100) sum += position_sum(sort_suffixes(make_text(n)));
  std::printf("%ld\n", sum);
}
