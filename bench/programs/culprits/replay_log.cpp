// An editor's undo that plays all commands but the last again, from the start.
// culprit: undo, replay, apply, visit
#include <cstdio>
#include <memory>
#include <vector>

struct Document {
  std::vector<long> cells = std::vector<long>(64);
};

struct Command {
  virtual ~Command() = default;
  virtual void apply(Document&) const = 0;
  virtual void revert(Document&) const = 0;
};

struct Add : Command {
  int cell, by;
  Add(int cell, int by) : cell(cell), by(by) {}
  void apply(Document& to) const override { to.cells[cell] += by; }
  void revert(Document& to) const override { to.cells[cell] -= by; }
};

class Editor {
  Document document_;
  std::vector<std::unique_ptr<Command>> log_;

public:
  void run(std::unique_ptr<Command> command) {
    command->apply(document_);
    log_.push_back(std::move(command));
  }
  void undo() {
#ifdef REPAIRED
    log_.back()->revert(document_);
    log_.pop_back();
#else
    log_.pop_back();
    document_ = Document();
    for (const auto& each : log_)
      each->apply(document_); // CULPRIT
#endif
  }
  long sum() const {
    long all = 0;
    for (size_t i = 0; i < document_.cells.size(); i++)
      all += (i + 1) * document_.cells[i];
    return all;
  }
  bool is_empty() const { return log_.empty(); }
};

int main() {
  Editor editor;
  for (int i = 0; i < 1500; i++)
    editor.run(std::make_unique<Add>(i * 31 % 64, i % 17));
  std::printf("%ld\n", editor.sum());
  while (!editor.is_empty())
    editor.undo();
  std::printf("%ld\n", editor.sum());
}
