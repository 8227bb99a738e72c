// An interpreter whose scopes are maps in a chain, which a global name is looked for through.
// culprit: get, find
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

class Scope {
  std::shared_ptr<Scope> outer_;
  const Scope* global_;
  std::unordered_map<std::string, int> names_;

public:
  explicit Scope(std::shared_ptr<Scope> outer = nullptr)
      : outer_(std::move(outer)), global_(outer_ ? outer_->global_ : this) {}
  void define(const std::string& name, int value) { names_[name] = value; }
  std::optional<int> get(const std::string& name) const {
#ifdef REPAIRED
    if (auto found = global_->names_.find(name); found != global_->names_.end())
      return found->second;
#endif
    for (const Scope* scope = this; scope != nullptr; scope = scope->outer_.get()) { // CULPRIT
      if (auto found = scope->names_.find(name); found != scope->names_.end())
        return found->second;
    }
    return std::nullopt;
  }
};

static long call(const std::shared_ptr<Scope>& scope, int depth) {
  if (depth == 0)
    return 0;
  auto inner = std::make_shared<Scope>(scope);
  inner->define("argument", depth);
  return *inner->get("step") + *inner->get("argument") + call(inner, depth - 1);
}

int main() {
  auto global = std::make_shared<Scope>();
  global->define("step", 3);
  std::printf("%ld\n", call(global, 1500));
}
