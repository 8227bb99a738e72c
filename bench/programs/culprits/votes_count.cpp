// Votes in a multiset, which counts those for a candidate one by one.
// culprit: vote, votes_for, main
#include <cstdio>
#include <map>
#include <set>
#include <string>

class Ballot {
#ifdef REPAIRED
  std::map<std::string, int> votes_;

public:
  void vote(const std::string& name) { votes_[name]++; }
  int votes_for(const std::string& name) const {
    auto place = votes_.find(name);
    return place == votes_.end() ? 0 : place->second;
  }
#else
  std::multiset<std::string> votes_;

public:
  void vote(const std::string& name) { votes_.insert(name); }
  int votes_for(const std::string& name) const { return static_cast<int>(votes_.count(name)); } // CULPRIT
#endif
};

int main() {
  const char* const names[] = {"Ada", "Grace", "Barbara", "Frances"};
  Ballot ballot;
  int most = 0;
  for (int i = 0; i < 4000; i++) {
    ballot.vote(names[i * i % 7 % 4]);
    int votes = ballot.votes_for(names[i % 4]);
    if (votes > most) most = votes;
  }
  std::printf("%d votes\n", most);
}
