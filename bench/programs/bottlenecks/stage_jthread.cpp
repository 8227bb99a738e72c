// KIND pipeline, NAMES parse|Parser|main: records go from a reader to a parser to two checkers, through queues that close.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>
#include <queue>
#include <string>
#include <thread>

template <typename T> class Channel {
public:
  void send(T value) {
    std::lock_guard lock(mutex_);
    values_.push(std::move(value));
    changed_.notify_one();
  }
  std::optional<T> receive() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_closed_ || !values_.empty(); });
    if (values_.empty())
      return std::nullopt;
    T value = std::move(values_.front());
    values_.pop();
    return value;
  }
  void close() {
    std::lock_guard lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<T> values_;
  bool is_closed_ = false;
};

struct Record {
  long key = 0, digest = 0;
};

static Record parse(const std::string& line) {
  Record record;
#ifdef FIXED
  const size_t rounds = 1;
#else
  const size_t rounds = line.size(); // CULPRIT
#endif
  for (size_t from = 0; from < rounds; from++)
    for (size_t i = from; i < line.size(); i++)
      record.digest = record.digest * 33 + line[i];
  record.key = std::stol(line);
  return record;
}

int main() {
  Channel<std::string> lines;
  Channel<Record> records;
  long bad[2] = {};
  {
    std::jthread reader([&] {
      for (int i = 0; i < 150; i++)
        lines.send(std::to_string(i * 7919) + std::string(60, char('a' + i % 26)));
      lines.close();
    });
    std::jthread parser([&] {
      while (auto line = lines.receive())
        records.send(parse(*line));
      records.close();
    });
    auto check = [&](int me) {
      while (auto record = records.receive())
        for (int k = 0; k < 400; k++)
          bad[me] += (record->digest ^ record->key * k) % 3 == 0;
    };
    std::jthread one(check, 0), two(check, 1);
  }
  std::printf("%ld\n", bad[0] + bad[1]);
}
