// Strings and dynamic programming.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "drive.h"

// law: n
ROUTINE int count_words(const char* text) {
  int found = 0;
  for (bool in = false; *text; ++text) {
    if (*text != ' ' && !in)
      ++found;
    in = *text != ' ';
  }
  return found;
}

// law: n^2
ROUTINE int length_in_condition(char* text) {
  auto length = [](const char* of) {
    const char* end = of;
    while (*const_cast<const volatile char*>(end))
      ++end;
    return end - of;
  };
  int upper = 0;
  for (int i = 0; i < length(text); ++i)
    if (text[i] >= 'a' && text[i] <= 'z') {
      text[i] -= 32;
      ++upper;
    }
  return upper;
}

// law: n^2
ROUTINE void edit_distance(const char* one, const char* other, int n) {
  std::vector<int> row(n + 1), above(n + 1);
  for (int j = 0; j <= n; ++j)
    above[j] = j;
  for (int i = 1; i <= n; ++i, row.swap(above)) {
    row[0] = i;
    for (int j = 1; j <= n; ++j)
      row[j] =
          std::min({row[j - 1] + 1, above[j] + 1, above[j - 1] + (one[i - 1] != other[j - 1])});
  }
  kept = above[n];
}

// law: n^2
ROUTINE void naive_search(const char* text, int n) {
  int length = n / 4, found = 0; // the pattern is the end of the text, and nearly matches everywhere
  for (int at = 0; at + length <= n; ++at) {
    int i = 0;
    while (i < length && text[at + i] == text[n - length + i])
      ++i;
    found += i == length;
  }
  kept = found;
}

// law: n
ROUTINE void prefix_function(const char* text, int n) {
  std::vector<int> prefix(n);
  for (int i = 1, k = 0; i < n; ++i) {
    while (k > 0 && text[i] != text[k])
      k = prefix[k - 1];
    if (text[i] == text[k])
      ++k;
    prefix[i] = k;
  }
  kept = prefix[n - 1];
}

// law: n^2
ROUTINE void palindromes(const char* text, int n) {
  int found = 0;
  for (int centre = 0; centre < n; ++centre)
    for (int i = 0; centre - i >= 0 && centre + i < n && text[centre - i] == text[centre + i]; ++i)
      ++found;
  kept = found;
}

// law: n
ROUTINE void reverse_words(char* text, int n) {
  for (int start = 0, i = 0; i <= n; ++i)
    if (i == n || text[i] == ' ') {
      std::reverse(text + start, text + i);
      start = i + 1;
    }
}

// law: n^2
ROUTINE void concatenate_in_front(const char* text, int n) {
  std::vector<char> made(n + 1);
  for (int i = 0; i < n; ++i) {
    for (int j = i; j > 0; --j)
      made[j] = made[j - 1];
    made[0] = text[i];
  }
  kept = made[0];
}

// law: n^3
ROUTINE void matrix_chain(const int* dims, int n) {
  std::vector<int> best(n * n);
  for (int length = 2; length < n; ++length)
    for (int i = 1; i + length - 1 < n; ++i) {
      int j = i + length - 1;
      best[i * n + j] = 1 << 30;
      for (int k = i; k < j; ++k)
        best[i * n + j] =
            std::min(best[i * n + j], best[i * n + k] + best[(k + 1) * n + j] +
                                          (dims[i - 1] & 7) * (dims[k] & 7) * (dims[j] & 7));
    }
  kept = best[n + n - 1];
}

// law: n^2
ROUTINE void longest_increasing(int* a, int n) {
  std::vector<int> longest(n, 1);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      if (a[j] < a[i] && longest[j] >= longest[i])
        longest[i] = longest[j] + 1;
  kept = longest[n - 1];
}

// law: n log n
ROUTINE void longest_increasing_fast(int* a, int n) {
  std::vector<int> tails;
  for (int i = 0; i < n; ++i) {
    auto at = std::lower_bound(tails.begin(), tails.end(), a[i]);
    if (at == tails.end())
      tails.push_back(a[i]);
    else
      *at = a[i];
  }
  kept = tails.size();
}

// law: 2^n
ROUTINE void subset_sums(int* a, int n) {
  int found = 0;
  for (unsigned subset = 0; subset < 1u << n; ++subset) {
    int sum = 0;
    for (unsigned left = subset; left; left &= left - 1)
      sum += a[__builtin_ctz(left)];
    found += sum == 12345;
  }
  kept = found;
}

// law: n
ROUTINE void knapsack_of_fixed_size(int* weights, int n) {
  int best[101] = {};
  for (int i = 0; i < n; ++i) {
    int weight = weights[i] % 50 + 1;
    for (int room = 100; room >= weight; --room)
      best[room] = std::max(best[room], best[room - weight] + weight);
  }
  kept = best[100];
}

// law: n
ROUTINE void memoised_steps(int* costs, int n) {
  std::vector<int> known(n, -1);
  struct Steps {
    int* costs;
    int* known;
    int from(int i, int n) {
      if (i >= n)
        return 0;
      if (known[i] < 0)
        known[i] = costs[i] + std::min(from(i + 1, n), from(i + 2, n));
      return known[i];
    }
  };
  kept = Steps{costs, known.data()}.from(0, n);
}

// law: n log n
ROUTINE void suffix_array(const char* text, int n) { // of random letters: comparisons are short
  std::vector<int> suffixes = std::vector<int>(n);
  for (int i = 0; i < n; ++i)
    suffixes[i] = i;
  std::sort(suffixes.begin(), suffixes.end(),
            [&](int a, int b) { return strcmp(text + a, text + b) < 0; });
  kept = suffixes[0];
}

// law: n^3
ROUTINE void three_sum(int* a, int n) {
  int found = 0;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j + 1; k < n; ++k)
        found += a[i] + a[j] == a[k];
  kept = found;
}

static std::string letters(int n, unsigned seed, unsigned of) {
  std::string made(n, 'a');
  for (char& letter : made)
    letter = char('a' + next(seed) % of);
  return made;
}

int main() {
  sizes(60, 6000, [](int n) {
    std::string text = letters(n, 3, 26);
    for (int i = 5; i < n; i += 7)
      text[i] = ' ';
    kept = count_words(text.c_str());
    reverse_words(&text[0], n);
    prefix_function(letters(n, 5, 2).c_str(), n);
    if (n < 2500)
      suffix_array(letters(n, 6, 20).c_str(), n);
  });
  sizes(16, 400, [](int n) {
    std::string text = letters(n, 4, 26), all(n, 'a');
    concatenate_in_front(text.c_str(), n);
    kept = length_in_condition(&text[0]);
    palindromes(all.c_str(), n);
    naive_search(all.c_str(), n);
    edit_distance(letters(n, 8, 4).c_str(), letters(n, 9, 4).c_str(), n);
  });
  on_random(longest_increasing, 10, 400);
  on_random(longest_increasing_fast, 50, 4000);
  on_random(knapsack_of_fixed_size, 10, 500);
  on_random(memoised_steps, 20, 2000);
  on_random(matrix_chain, 8, 90);
  on_random(three_sum, 8, 90);
  for (int n = 4; n <= 13; ++n)
    subset_sums(numbers(n).data(), n);
}
