// How far everybody is from the first one; the queue of the search is a vector.
// culprit: distances, pop_front
#include <cstdio>
#include <deque>
#include <vector>

using Friends = std::vector<std::vector<int>>;

static Friends make_friends(int n) {
  Friends friends(n);
  unsigned state = 5;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) {
      state = state * 1664525 + 1013904223;
      int other = static_cast<int>((state >> 10) % n);
      friends[i].push_back(other);
      friends[other].push_back(i);
    }
  return friends;
}

#ifdef REPAIRED
using Queue = std::deque<int>;
static int pop_front(Queue& q) { int v = q.front(); q.pop_front(); return v; }
#else
using Queue = std::vector<int>;
static int pop_front(Queue& q) { int v = q.front(); q.erase(q.begin()); return v; } // CULPRIT
#endif

static std::vector<int> distances(const Friends& friends) {
  std::vector<int> distance(friends.size(), -1);
  Queue queue;
  queue.push_back(0);
  distance[0] = 0;
  while (!queue.empty()) {
    int at = pop_front(queue);
    for (int to : friends[at])
      if (distance[to] < 0) {
        distance[to] = distance[at] + 1;
        queue.push_back(to);
      }
  }
  return distance;
}

int main() {
  long sum = 0;
  for (int n = 2500; n <= 20000; n += 2500)
    for (int d : distances(make_friends(n))) sum += d;
  std::printf("%ld\n", sum);
}
