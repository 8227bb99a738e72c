// An event loop whose timers stay in its list after they have fired.
// culprit: fire_due, run
#include <cstdio>
#include <functional>
#include <list>

struct Timer {
  long due;
  std::function<void()> action;
  bool fired = false;
};

class Loop {
  std::list<Timer> timers_;
  long now_ = 0;

public:
  long work = 0;
  void after(long ticks, std::function<void()> action) { timers_.push_back({now_ + ticks, std::move(action)}); }
  void fire_due() {
    for (auto timer = timers_.begin(); timer != timers_.end();) { // CULPRIT
      if (!timer->fired && timer->due <= now_) {
        timer->fired = true;
        timer->action();
      }
#ifdef REPAIRED
      timer = timer->fired ? timers_.erase(timer) : std::next(timer);
#else
      ++timer;
#endif
    }
  }
  void run(int ticks) {
    for (int i = 0; i < ticks; i++) {
      now_++;
      after(1 + i % 5, [this, i] { work += i % 3; });
      fire_due();
      for (int k = 0; k < 50; k++) work += k * now_ % 7;
    }
  }
};

int main() {
  Loop loop;
  loop.run(2000);
  std::printf("%ld\n", loop.work);
}
