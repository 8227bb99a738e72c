// Styles every other child of each element; a child's position is counted from the first one.
// culprit: position, style, count_styled
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

struct Element {
  std::string tag;
  Element *parent = nullptr, *first = nullptr, *next = nullptr, *last = nullptr;
};

class Document {
  std::vector<std::unique_ptr<Element>> all_;

public:
  Element* make(const char* tag, Element* parent) {
    all_.push_back(std::make_unique<Element>(Element{tag}));
    Element* made = all_.back().get();
    made->parent = parent;
    if (parent != nullptr) {
      (parent->first == nullptr ? parent->first : parent->last->next) = made;
      parent->last = made;
    }
    return made;
  }
};

static int position(const Element* element) {
  int at = 0;
  for (const Element* each = element->parent->first; each != element; each = each->next) at++; // CULPRIT
  return at;
}

static int count_styled(const Element* root) {
  int styled = 0;
#ifdef REPAIRED
  int at = 0;
  for (const Element* each = root->first; each != nullptr; each = each->next, at++) styled += at % 2 == 0 && each->tag == "li";
#else
  for (const Element* each = root->first; each != nullptr; each = each->next) styled += position(each) % 2 == 0 && each->tag == "li";
#endif
  return styled;
}

int main() {
  int sum = 0;
  for (int n = 150; n <= 1500; n += 150) {
    Document document;
    Element* list = document.make("ul", nullptr);
    for (int i = 0; i < n; i++) document.make(i % 7 ? "li" : "hr", list);
    sum += count_styled(list);
  }
  std::printf("%d styled\n", sum);
  (void)position;
}
