// Runs a small program by walking its tree; variables are in a table by number.
#include <cstdio>
#include <memory>
#include <vector>

struct Node {
  enum Kind { NUMBER, VARIABLE, ADD, LESS, SET, WHILE, BLOCK } kind;
  int value = 0;
  std::vector<std::unique_ptr<Node>> of;
};
using Tree = std::unique_ptr<Node>;

template <class... Of> Tree make(Node::Kind kind, int value, Of... of) {
  Tree node(new Node{kind, value, {}});
  (node->of.push_back(std::move(of)), ...);
  return node;
}

class Machine {
  std::vector<int> variables_ = std::vector<int>(600);

public:
  int run(const Node& node) {
    switch (node.kind) {
    case Node::NUMBER: return node.value;
    case Node::VARIABLE: return variables_[node.value];
    case Node::ADD: return run(*node.of[0]) + run(*node.of[1]);
    case Node::LESS: return run(*node.of[0]) < run(*node.of[1]);
    case Node::SET: return variables_[node.value] = run(*node.of[0]);
    case Node::WHILE:
      while (run(*node.of[0]))
        run(*node.of[1]);
      return 0;
    case Node::BLOCK:
      for (const auto& each : node.of)
        run(*each);
      return 0;
    }
    return 0;
  }
};

int main() {
  auto number = [](int value) { return make(Node::NUMBER, value); };
  auto variable = [](int which) { return make(Node::VARIABLE, which); };
  Tree body = make(Node::BLOCK, 0);
  for (int i = 2; i < 400; i++)
    body->of.push_back(make(Node::SET, i, make(Node::ADD, 0, variable(i - 1), number(i))));
  body->of.push_back(make(Node::SET, 0, make(Node::ADD, 0, variable(0), number(1))));
  Tree program =
      make(Node::BLOCK, 0,
           make(Node::WHILE, 0, make(Node::LESS, 0, variable(0), number(150)), std::move(body)),
           variable(399));
  Machine machine;
  machine.run(*program);
  std::printf("%d\n", machine.run(*program->of[1]));
}
