// Graphs, matrices, geometry.
#include <algorithm>
#include <complex>
#include <functional>
#include <queue>
#include <vector>

#include "drive.h"

using Graph = std::vector<std::vector<int>>;

// law: n
ROUTINE int breadth_first(const Graph& graph) {
  std::vector<int> distance(graph.size(), -1), queue{0};
  distance[0] = 0;
  for (size_t head = 0; head < queue.size(); ++head)
    for (int to : graph[queue[head]])
      if (distance[to] < 0) {
        distance[to] = distance[queue[head]] + 1;
        queue.push_back(to);
      }
  return distance[graph.size() - 1];
}

// law: n
ROUTINE int depth_first(const Graph& graph) {
  std::vector<char> seen(graph.size());
  std::vector<int> stack{0};
  int visited = 0;
  while (!stack.empty()) {
    int node = stack.back();
    stack.pop_back();
    if (seen[node])
      continue;
    seen[node] = 1;
    ++visited;
    for (int to : graph[node])
      stack.push_back(to);
  }
  return visited;
}

// law: n^2
ROUTINE int bellman_ford(const Graph& graph) {
  std::vector<int> distance(graph.size(), 1 << 20);
  distance[0] = 0;
  for (size_t round = 1; round < graph.size(); ++round)
    for (size_t node = 0; node < graph.size(); ++node)
      for (int to : graph[node])
        distance[to] = std::min(distance[to], distance[node] + 1);
  return distance.back();
}

// law: n^2
ROUTINE int nearest_by_scan(const Graph& graph) { // Dijkstra's algorithm without a heap
  std::vector<int> distance(graph.size(), 1 << 20), done(graph.size());
  distance[0] = 0;
  for (size_t round = 0; round < graph.size(); ++round) {
    int nearest = -1;
    for (size_t node = 0; node < graph.size(); ++node)
      if (!done[node] && (nearest < 0 || distance[node] < distance[nearest]))
        nearest = node;
    done[nearest] = 1;
    for (int to : graph[nearest])
      distance[to] = std::min(distance[to], distance[nearest] + 1 + to % 7);
  }
  return distance.back();
}

// law: n
ROUTINE int union_find(int* pairs, int n) {
  std::vector<int> parent = ascending(n);
  auto root = [&](int of) {
    while (parent[of] != of)
      of = parent[of] = parent[parent[of]];
    return of;
  };
  for (int i = 0; i < n; ++i)
    parent[root(i)] = root(pairs[i] % n);
  return root(0);
}

// law: n^1.5
ROUTINE void floyd_warshall(int* distance, int nodes) {
  for (int k = 0; k < nodes; ++k)
    for (int i = 0; i < nodes; ++i)
      for (int j = 0; j < nodes; ++j) {
        int by = distance[i * nodes + k] + distance[k * nodes + j];
        if (by < distance[i * nodes + j])
          distance[i * nodes + j] = by;
      }
}

// law: n^1.5
ROUTINE void multiply(const float* a, const float* b, float* c, int k) {
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j) {
      float sum = 0;
      for (int m = 0; m < k; ++m)
        sum += a[i * k + m] * b[m * k + j];
      c[i * k + j] = sum;
    }
}

// law: n
ROUTINE void transpose(float* a, int k) {
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < i; ++j)
      std::swap(a[i * k + j], a[j * k + i]);
}

// law: n
ROUTINE void matrix_times_vector(const float* a, const float* x, float* y, int k) {
  for (int i = 0; i < k; ++i) {
    y[i] = 0;
    for (int j = 0; j < k; ++j)
      y[i] += a[i * k + j] * x[j];
  }
}

// law: n^1.5
ROUTINE void eliminate(float* a, int k) {
  for (int p = 0; p < k; ++p)
    for (int i = p + 1; i < k; ++i) {
      float by = a[i * k + p] / (a[p * k + p] + 1);
      for (int j = p; j < k; ++j)
        a[i * k + j] -= by * a[p * k + j];
    }
}

// law: n
ROUTINE void stencil(const float* a, float* to, int k) {
  for (int i = 1; i + 1 < k; ++i)
    for (int j = 1; j + 1 < k; ++j)
      to[i * k + j] = a[i * k + j - 1] + a[i * k + j + 1] + a[(i - 1) * k + j] + a[(i + 1) * k + j];
}

// law: n^2
ROUTINE void multiply_polynomials(const int* a, const int* b, int n) {
  std::vector<int> product(2 * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      product[i + j] += a[i] * b[j];
  kept = product[n];
}

static void karatsuba_step(const int* a, const int* b, int* to, int n) {
  if (n == 1) {
    to[0] = a[0] * b[0];
    to[1] = 0;
    return;
  }
  int half = n / 2;
  std::vector<int> sums(2 * half), middle(n);
  for (int i = 0; i < half; ++i) {
    sums[i] = a[i] + a[half + i];
    sums[half + i] = b[i] + b[half + i];
  }
  karatsuba_step(a, b, to, half);
  karatsuba_step(a + half, b + half, to + n, half);
  karatsuba_step(&sums[0], &sums[half], &middle[0], half);
  for (int i = 0; i < n; ++i)
    middle[i] -= to[i] + to[n + i];
  for (int i = 0; i < n; ++i)
    to[half + i] += middle[i];
}

// law: n^1.585
ROUTINE void karatsuba(const int* a, const int* b, int n) {
  std::vector<int> to(2 * n);
  karatsuba_step(a, b, to.data(), n);
  kept = to[n];
}

// law: n log n
ROUTINE void fourier(std::complex<float>* a, int n) {
  for (int i = 1, j = 0; i < n; ++i) {
    int bit = n / 2;
    for (; j & bit; bit /= 2)
      j ^= bit;
    j ^= bit;
    if (i < j)
      std::swap(a[i], a[j]);
  }
  for (int length = 2; length <= n; length *= 2)
    for (int start = 0; start < n; start += length)
      for (int i = 0; i < length / 2; ++i) {
        std::complex<float> one = a[start + i], other = a[start + i + length / 2];
        a[start + i] = one + other;
        a[start + i + length / 2] = one - other;
      }
}

struct Point {
  int x, y;
};

// law: n^2
ROUTINE void closest_pair(const Point* points, int n) {
  long least = 1l << 60;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      long x = points[i].x - points[j].x, y = points[i].y - points[j].y;
      least = std::min(least, x * x + y * y);
    }
  kept = least;
}

static long turn(const Point& a, const Point& b, const Point& c) {
  return long(b.x - a.x) * (c.y - a.y) - long(b.y - a.y) * (c.x - a.x);
}

// law: n log n
ROUTINE void convex_hull(Point* points, int n) {
  std::sort(points, points + n,
            [](Point a, Point b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<Point> hull(n + 1);
  int size = 0;
  for (int i = 0; i < n; ++i) {
    while (size > 1 && turn(hull[size - 2], hull[size - 1], points[i]) <= 0)
      --size;
    hull[size++] = points[i];
  }
  kept = size;
}

// law: n
ROUTINE void bounding_box(const Point* points, int n) {
  int low = 1 << 30, high = 0;
  for (int i = 0; i < n; ++i) {
    low = std::min(low, points[i].x);
    high = std::max(high, points[i].y);
  }
  kept = high - low;
}

// law: n^3
ROUTINE void collinear(const Point* points, int n) {
  int found = 0;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j + 1; k < n; ++k)
        found += turn(points[i], points[j], points[k]) == 0;
  kept = found;
}

// law: n^2
ROUTINE void forces(const Point* points, int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (i != j)
        sum += points[i].x - points[j].x;
  kept = sum;
}

// law: n
ROUTINE void maximum_subarray(const int* a, int n) {
  int best = 0, here = 0;
  for (int i = 0; i < n; ++i)
    best = std::max(best, here = std::max(0, here + a[i] - (1 << 19)));
  kept = best;
}

// law: n^2
ROUTINE void maximum_subarray_by_all(const int* a, int n) {
  int best = 0;
  for (int i = 0; i < n; ++i)
    for (int j = i, sum = 0; j < n; ++j)
      best = std::max(best, sum += a[j] - (1 << 19));
  kept = best;
}

static Graph random_graph(int nodes) {
  unsigned seed = 5;
  Graph graph(nodes);
  for (int i = 0; i < nodes; ++i) {
    graph[i].push_back((i + 1) % nodes);
    for (int k = 0; k < 3; ++k)
      graph[i].push_back(int(next(seed) % unsigned(nodes)));
  }
  return graph;
}

int main() {
  sizes(20, 1500, [](int n) {
    Graph graph = random_graph(n);
    kept = breadth_first(graph);
    kept = depth_first(graph);
    kept = union_find(numbers(n).data(), n);
  });
  sizes(8, 150, [](int n) {
    Graph graph = random_graph(n);
    kept = bellman_ford(graph);
    kept = nearest_by_scan(graph);
  });
  sizes(5, 45, [](int k) {
    std::vector<int> distance = numbers(k * k);
    floyd_warshall(distance.data(), k);
    std::vector<float> a(k * k, 1.5f), b(k * k, 2.5f), c(k * k), x(k, 1.0f), y(k);
    multiply(a.data(), b.data(), c.data(), k);
    eliminate(a.data(), k);
  });
  sizes(6, 90, [](int k) {
    std::vector<float> a(k * k, 1.5f), c(k * k), x(k, 1.0f), y(k);
    transpose(a.data(), k);
    matrix_times_vector(a.data(), x.data(), y.data(), k);
    stencil(a.data(), c.data(), k);
  });
  sizes(10, 300,
        [](int n) { multiply_polynomials(numbers(n, 1).data(), numbers(n, 2).data(), n); });
  for (int n = 4; n <= 512; n *= 2)
    karatsuba(numbers(n, 1).data(), numbers(n, 2).data(), n);
  for (int n = 16; n <= 4096; n *= 2) {
    std::vector<std::complex<float>> a(n, 1.0f);
    fourier(a.data(), n);
  }
  auto points = [](int n) {
    unsigned seed = unsigned(n);
    std::vector<Point> made(n);
    for (Point& point : made)
      point = {int(next(seed) % 100000), int(next(seed) % 100000)};
    return made;
  };
  sizes(10, 300, [&](int n) {
    closest_pair(points(n).data(), n);
    forces(points(n).data(), n);
  });
  sizes(30, 3000, [&](int n) {
    std::vector<Point> of = points(n);
    bounding_box(of.data(), n);
    convex_hull(of.data(), n);
  });
  sizes(8, 80, [&](int n) { collinear(points(n).data(), n); });
  sizes(20, 4000, [](int n) { maximum_subarray(numbers(n).data(), n); });
  sizes(10, 300, [](int n) { maximum_subarray_by_all(numbers(n).data(), n); });
}
