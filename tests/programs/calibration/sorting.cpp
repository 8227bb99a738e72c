// Sorts and selections.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <utility>

#include "drive.h"

// law: n^2
ROUTINE void bubble_sort(int* a, int n) {
  for (int end = n; end > 1; --end)
    for (int i = 1; i < end; ++i)
      if (a[i - 1] > a[i])
        std::swap(a[i - 1], a[i]);
}

// law: n^2
ROUTINE void insertion_sort(int* a, int n) {
  for (int i = 1; i < n; ++i) {
    int moved = a[i], at = i;
    for (; at > 0 && a[at - 1] > moved; --at)
      a[at] = a[at - 1];
    a[at] = moved;
  }
}

// law: n
ROUTINE void insertion_sort_of_sorted(int* a, int n) {
  for (int i = 1; i < n; ++i) {
    int moved = a[i], at = i;
    for (; at > 0 && a[at - 1] > moved; --at)
      a[at] = a[at - 1];
    a[at] = moved;
  }
}

// law: n^2
ROUTINE void selection_sort(int* a, int n) {
  for (int i = 0; i < n; ++i) {
    int least = i;
    for (int j = i + 1; j < n; ++j)
      if (a[j] < a[least])
        least = j;
    std::swap(a[i], a[least]);
  }
}

static void merge_halves(int* a, int* spare, int n) {
  if (n < 2)
    return;
  int half = n / 2;
  merge_halves(a, spare, half);
  merge_halves(a + half, spare, n - half);
  std::merge(a, a + half, a + half, a + n, spare);
  std::copy(spare, spare + n, a);
}

// law: n log n
ROUTINE void merge_sort(int* a, int n) {
  std::vector<int> spare(n);
  merge_halves(a, spare.data(), n);
}

static void sift_down(int* a, int at, int n) {
  for (int child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && a[child + 1] > a[child])
      ++child;
    if (a[at] >= a[child])
      return;
    std::swap(a[at], a[child]);
  }
}

// law: n
ROUTINE void make_heap(int* a, int n) {
  for (int i = n / 2; i-- > 0;)
    sift_down(a, i, n);
}

// law: n log n
ROUTINE void heap_sort(int* a, int n) {
  make_heap(a, n);
  for (int end = n; end-- > 1;) {
    std::swap(a[0], a[end]);
    sift_down(a, 0, end);
  }
}

// law: n log n
ROUTINE void quicksort(int* a, int n) {
  while (n > 1) {
    int pivot = a[n / 2], low = 0, high = n - 1;
    while (low <= high) {
      while (a[low] < pivot)
        ++low;
      while (a[high] > pivot)
        --high;
      if (low <= high)
        std::swap(a[low++], a[high--]);
    }
    quicksort(a, high + 1);
    a += low;
    n -= low;
  }
}

// law: n^2
ROUTINE void quicksort_first_pivot(int* a, int n) {
  if (n < 2)
    return;
  int less = 0;
  for (int i = 1; i < n; ++i)
    if (a[i] < a[0])
      std::swap(a[++less], a[i]);
  std::swap(a[0], a[less]);
  quicksort_first_pivot(a, less);
  quicksort_first_pivot(a + less + 1, n - less - 1);
}

// law: n
ROUTINE void counting_sort(int* a, int n) {
  int counts[64] = {};
  for (int i = 0; i < n; ++i)
    ++counts[a[i] & 63];
  int* to = a;
  for (int value = 0; value < 64; ++value)
    for (int i = 0; i < counts[value]; ++i)
      *to++ = value;
}

// law: n
ROUTINE void radix_sort(int* a, int n) {
  std::vector<int> spare(n);
  for (int shift = 0; shift < 20; shift += 5) {
    int starts[33] = {};
    for (int i = 0; i < n; ++i)
      ++starts[(a[i] >> shift & 31) + 1];
    for (int i = 0; i < 32; ++i)
      starts[i + 1] += starts[i];
    for (int i = 0; i < n; ++i)
      spare[starts[a[i] >> shift & 31]++] = a[i];
    for (int i = 0; i < n; ++i)
      a[i] = spare[i];
  }
}

// law: n log n
ROUTINE void standard_sort(int* a, int n) { std::sort(a, a + n); }

// law: n log n
ROUTINE void standard_stable_sort(int* a, int n) { std::stable_sort(a, a + n); }

static int compare(const void* one, const void* other) {
  int a = *static_cast<const int*>(one), b = *static_cast<const int*>(other);
  return (a > b) - (a < b);
}

// law: n log n
ROUTINE void c_qsort(int* a, int n) { qsort(a, n, sizeof *a, compare); }

// law: n
ROUTINE void select_ten(int* a, int n) { std::partial_sort(a, a + 10, a + n); }

// law: n
ROUTINE void select_median(int* a, int n) { std::nth_element(a, a + n / 2, a + n); }

// law: n^2
ROUTINE void count_inversions(int* a, int n) {
  long found = 0;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      found += a[i] > a[j];
  kept = found;
}

// law: n
ROUTINE void merge_sorted(int* a, int n) {
  std::vector<int> to(n);
  std::merge(a, a + n / 2, a + n / 2, a + n, to.begin());
  kept = to[n / 2];
}

// law: n^2
ROUTINE void remove_duplicates(int* a, int n) {
  int unique = 0;
  for (int i = 0; i < n; ++i) {
    int j = 0;
    while (j < unique && a[j] != a[i])
      ++j;
    if (j == unique)
      a[unique++] = a[i];
  }
  kept = unique;
}

// law: n log n
ROUTINE void remove_duplicates_sorted(int* a, int n) {
  std::sort(a, a + n);
  kept = std::unique(a, a + n) - a;
}

template <class Routine> static void on_ascending(Routine routine, int low, int high) {
  sizes(low, high, [&](int n) {
    std::vector<int> input = ascending(n);
    routine(input.data(), n);
  });
}

int main() {
  for (auto routine : {bubble_sort, insertion_sort, selection_sort, count_inversions})
    on_random(routine, 10, 300);
  on_random(remove_duplicates, 15, 500);
  on_ascending(quicksort_first_pivot, 8, 250);
  on_ascending(insertion_sort_of_sorted, 30, 3000);
  on_ascending(merge_sorted, 20, 4000);
  for (auto routine : {merge_sort, heap_sort, quicksort, standard_sort, standard_stable_sort,
                       c_qsort, remove_duplicates_sorted})
    on_random(routine, 60, 4000);
  for (auto routine : {make_heap, counting_sort, radix_sort, select_ten, select_median})
    on_random(routine, 100, 5000);
}
