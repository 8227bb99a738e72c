// KIND lock, NAMES mutex_|visit|Index|Index::add: threads share an index; a stem is computed while its mutex is held.
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Index {
public:
  void add(const std::string& word, int at) {
#ifdef FIXED
    std::string key = stem(word);
    std::scoped_lock guard(mutexes_[key[0] & 15]);
    places_[key[0] & 15][key] = at;
#else
    std::scoped_lock guard(mutex_); // CULPRIT
    std::string key = stem(word);
    places_[key[0] & 15][key] = at;
#endif
  }
  size_t size() const {
    size_t s = 0;
    for (auto& p : places_)
      s += p.size();
    return s;
  }

private:
  static std::string stem(std::string word) {
    for (int pass = 0; pass < 12; pass++)
      for (size_t i = 1; i < word.size(); i++)
        word[i] = 'a' + (word[i] * 3 + word[i - 1]) % 26;
    word[0] = 'a' + word[1] % 16;
    return word.substr(0, 4);
  }
  std::mutex mutex_, mutexes_[16];
  std::map<std::string, int> places_[16];
};

int main() {
  Index index;
  std::vector<std::jthread> readers;
  for (int r = 0; r < 4; r++)
    readers.emplace_back([r, &index] {
      for (int at = 0; at < 350; at++) {
        std::string word;
        for (unsigned c = at * 7919 + r; word.size() < 16; c = c * 31 + 7)
          word += 'a' + c % 26;
        index.add(word, at);
      }
    });
  readers.clear();
  std::printf("%zu\n", index.size());
}
