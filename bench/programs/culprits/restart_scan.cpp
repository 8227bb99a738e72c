// Bookings that overlap are united; after each union, the search begins again at the first.
// culprit: unite, overlapping
#include <algorithm>
#include <cstdio>
#include <list>

struct Span {
  long from, to;
};

template <class Found> static bool overlapping(std::list<Span>& spans, Found found) {
  for (auto a = spans.begin(); a != spans.end(); ++a) { // CULPRIT
    auto b = std::next(a);
    if (b != spans.end() && b->from <= a->to)
      return found(a, b), true;
  }
  return false;
}

static void unite(std::list<Span>& spans) {
  spans.sort([](const Span& a, const Span& b) { return a.from < b.from; });
#ifdef REPAIRED
  for (auto a = spans.begin(); a != spans.end(); ++a)
    for (auto b = std::next(a); b != spans.end() && b->from <= a->to; b = spans.erase(b))
      a->to = std::max(a->to, b->to);
#else
  while (overlapping(spans, [&](auto a, auto b) {
    a->to = std::max(a->to, b->to);
    spans.erase(b);
  })) {
  }
#endif
}

int main() {
  size_t left = 0;
  for (int n = 150; n <= 1500; n += 150) {
    std::list<Span> spans;
    unsigned long state = 7;
    for (int i = 0; i < n; i++) {
      state = state * 6364136223846793005UL + 1442695040888963407UL;
      long from = (state >> 33) % (n * 40L);
      spans.push_back({from, from + 10 + (long)(state >> 50) % 30});
    }
    unite(spans);
    left += spans.size();
  }
  std::printf("%zu\n", left);
}
