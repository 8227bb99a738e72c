// KIND serial, NAMES tokenize|Corpus|load: a corpus is tokenized when it is loaded; futures of a pool then score its documents.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Pool {
public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; i++)
      threads_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      is_closed_ = true;
    }
    ready_.notify_all();
    for (auto& thread : threads_)
      thread.join();
  }
  template <typename F> auto submit(F function) {
    auto task = std::make_shared<std::packaged_task<decltype(function())()>>(std::move(function));
    auto result = task->get_future();
    {
      std::lock_guard lock(mutex_);
      jobs_.emplace_back([task] { (*task)(); });
    }
    ready_.notify_one();
    return result;
  }

private:
  void work() {
    for (;;) {
      std::function<void()> job;
      {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return is_closed_ || !jobs_.empty(); });
        if (jobs_.empty())
          return;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      job();
    }
  }
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::thread> threads_;
  bool is_closed_ = false;
};

using Document = std::vector<std::string>;

static std::string text_of(int document) {
  std::string text;
  for (unsigned i = 0, x = document; i < 400; i++, x = x * 1664525 + 1013904223)
    text += x % 6 ? char('a' + x / 64 % 26) : ' ';
  return text;
}

static Document tokenize(const std::string& text) {
  Document words;
  std::string word;
  for (char c : text)
    if (c == ' ') {
      if (!word.empty())
        words.push_back(word);
      word.clear();
    } else {
      word += char(c ^ 32);
    }
  return words;
}

static int score(const Document& document) {
  int found = 0;
  for (const auto& word : document)
    for (const auto& other : document)
      found += word[0] == other[0];
  return found;
}

int main() {
  constexpr int kDocuments = 64;
  Pool pool(4);
  std::vector<Document> corpus(kDocuments);
#ifdef FIXED
  std::vector<std::future<void>> loaded;
  for (int d = 0; d < kDocuments; d++)
    loaded.push_back(pool.submit([&, d] { corpus[d] = tokenize(text_of(d)); }));
  for (auto& of : loaded)
    of.get();
#else
  for (int d = 0; d < kDocuments; d++)
    corpus[d] = tokenize(text_of(d)); // CULPRIT
#endif
  std::vector<std::future<int>> scores;
  for (const auto& document : corpus)
    scores.push_back(pool.submit([&document] { return score(document); }));
  int sum = 0;
  for (auto& of : scores)
    sum += of.get();
  std::printf("%d\n", sum);
}
