// A view that subscribes again at each refresh, and never leaves.
// culprit: refresh, notify, run
#include <cstdio>
#include <functional>
#include <vector>

class Model {
  std::vector<std::function<void(int)>> observers_;

public:
  void subscribe(std::function<void(int)> observer) { observers_.push_back(std::move(observer)); }
  void notify(int value) const {
    for (const auto& observer : observers_) observer(value); // CULPRIT
  }
};

class View {
  Model& model_;
  long drawn_ = 0;
#ifdef REPAIRED
  bool subscribed_ = false;
#endif

public:
  explicit View(Model& model) : model_(model) {}
  void refresh() {
#ifdef REPAIRED
    if (subscribed_) return;
    subscribed_ = true;
#endif
    model_.subscribe([this](int value) { drawn_ += value & 3; });
  }
  long drawn() const { return drawn_; }
};

int main() {
  Model model;
  View view(model);
  for (int i = 0; i < 1500; i++) {
    view.refresh();
    model.notify(i);
  }
  std::printf("%ld\n", view.drawn());
}
