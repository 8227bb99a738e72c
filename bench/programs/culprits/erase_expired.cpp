// Sessions that have expired are erased from a vector one by one.
// culprit: drop_expired, tick
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

struct Session {
  std::string user;
  int ends;
};

static void drop_expired(std::vector<Session>& sessions, int now) {
#ifdef REPAIRED
  sessions.erase(std::remove_if(sessions.begin(), sessions.end(), [&](const Session& s) { return s.ends <= now; }), sessions.end());
#else
  for (auto it = sessions.begin(); it != sessions.end();) {
    if (it->ends <= now) it = sessions.erase(it); // CULPRIT
    else ++it;
  }
#endif
}

int main() {
  size_t left = 0;
  for (int n = 200; n <= 1600; n += 200) {
    std::vector<Session> sessions;
    for (int i = 0; i < n; i++) sessions.push_back({"user" + std::to_string(i * 7919), i * 31 % 100});
    drop_expired(sessions, 50);
    left += sessions.size();
  }
  std::printf("%zu left\n", left);
}
