// Renders a document tree to text through callbacks; strings are appended to.
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Node {
  std::string tag, text;
  std::vector<std::unique_ptr<Node>> children;
};

using Renderer = std::function<void(const Node&, std::string&)>;

class Printer {
  std::map<std::string, Renderer> by_tag_;

public:
  Printer() {
    by_tag_["p"] = [this](const Node& node, std::string& out) {
      out += "\n" + node.text;
      below(node, out);
    };
    by_tag_["b"] = [this](const Node& node, std::string& out) {
      out += " *" + node.text + "*";
      below(node, out);
    };
  }
  void print(const Node& node, std::string& out) {
    auto place = by_tag_.find(node.tag);
    if (place != by_tag_.end()) place->second(node, out);
  }
  void below(const Node& node, std::string& out) {
    for (const auto& child : node.children) print(*child, out);
  }
};

static std::unique_ptr<Node> make(int number, int depth) {
  auto node = std::make_unique<Node>();
  node->tag = number % 3 ? "p" : "b";
  node->text = "text number " + std::to_string(number);
  for (int i = 0; depth > 0 && i < 4; i++) node->children.push_back(make(number * 4 + i, depth - 1));
  return node;
}

int main() {
  size_t all = 0;
  Printer printer;
  for (int depth = 1; depth <= 6; depth++) {
    std::string out;
    printer.print(*make(depth, depth), out);
    all += out.size();
  }
  std::printf("%zu characters\n", all);
}
