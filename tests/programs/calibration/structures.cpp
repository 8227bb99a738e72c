// Trees, heaps, hash tables, lists, allocation patterns, amortised growth.
#include <algorithm>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "drive.h"

struct Node {
  int key;
  Node* less = nullptr;
  Node* greater = nullptr;
};

static Node* insert(Node* root, Node* node) {
  Node** at = &root;
  while (*at)
    at = node->key < (*at)->key ? &(*at)->less : &(*at)->greater;
  *at = node;
  return root;
}

// law: n log n
ROUTINE Node* build_search_tree(Node* nodes, int n) {
  Node* root = nullptr;
  for (int i = 0; i < n; ++i)
    root = insert(root, &nodes[i]);
  return root;
}

// law: n^2
ROUTINE Node* build_degenerate_tree(Node* nodes, int n) {
  Node* root = nullptr;
  for (int i = 0; i < n; ++i)
    root = insert(root, &nodes[i]);
  return root;
}

// law: n
ROUTINE long sum_tree(Node* root) {
  return root ? root->key + sum_tree(root->less) + sum_tree(root->greater) : 0;
}

// law: n
ROUTINE int find_in_tree(Node* root, int key) { // n: the path
  int depth = 0;
  for (; root && root->key != key; ++depth)
    root = key < root->key ? root->less : root->greater;
  return depth;
}

// law: n log n
ROUTINE void fill_map(const std::string* keys, int n) {
  std::map<std::string, int> made;
  for (int i = 0; i < n; ++i)
    made[keys[i]] = i;
  kept = made.size();
}

// law: n
ROUTINE void fill_hash(int* keys, int n) {
  std::unordered_map<int, int> made;
  for (int i = 0; i < n; ++i)
    made[keys[i]] = i;
  kept = made.size();
}

// law: n
ROUTINE void append_to_vector(int* a, int n) {
  std::vector<int> made;
  for (int i = 0; i < n; ++i)
    made.push_back(a[i]);
  kept = made[n - 1];
}

// law: n^2
ROUTINE void grow_by_one(int* a, int n) {
  int* made = nullptr;
  for (int i = 0; i < n; ++i) {
    int* larger = static_cast<int*>(malloc((i + 1) * sizeof *larger));
    for (int j = 0; j < i; ++j)
      larger[j] = made[j];
    larger[i] = a[i];
    free(made);
    made = larger;
  }
  kept = made[n - 1];
  free(made);
}

struct Cell {
  int value;
  Cell* next;
};

// law: n
ROUTINE Cell* reverse_list(Cell* list) {
  Cell* reversed = nullptr;
  while (list) {
    Cell* rest = list->next;
    list->next = reversed;
    reversed = list;
    list = rest;
  }
  return reversed;
}

// law: n^2
ROUTINE void append_by_walking(int* a, int n) {
  Cell* first = nullptr;
  for (int i = 0; i < n; ++i) {
    Cell** at = &first;
    while (*at)
      at = &(*at)->next;
    *at = new Cell{a[i], nullptr};
  }
  while (first) {
    Cell* rest = first->next;
    delete first;
    first = rest;
  }
}

// law: n^2
ROUTINE void erase_at_front(std::vector<int>& a) {
  while (!a.empty()) {
    for (size_t i = 1; i < a.size(); ++i)
      a[i - 1] = a[i];
    a.pop_back();
  }
}

// law: n log n
ROUTINE void drain_queue(int* a, int n) {
  std::priority_queue<int> queue(a, a + n);
  while (!queue.empty()) {
    kept = queue.top();
    queue.pop();
  }
}

// law: n^2
ROUTINE void chains_of_few_buckets(int* keys, int n) {
  std::vector<std::vector<int>> buckets(8);
  for (int i = 0; i < n; ++i) {
    std::vector<int>& bucket = buckets[keys[i] & 7];
    if (std::find(bucket.begin(), bucket.end(), keys[i]) == bucket.end())
      bucket.push_back(keys[i]);
  }
  kept = buckets[0].size();
}

// law: n
ROUTINE void open_addressing(int* keys, int n) {
  int capacity = 16;
  while (capacity < 2 * n)
    capacity *= 2;
  std::vector<int> table(capacity, -1);
  for (int i = 0; i < n; ++i) {
    unsigned at = keys[i] * 2654435761u;
    while (table[at &= capacity - 1] != -1)
      ++at;
    table[at] = keys[i];
  }
  kept = table[0];
}

// law: n
ROUTINE void free_nodes(std::list<int>& nodes) { nodes.clear(); }

// law: n log n
ROUTINE void set_of_all(int* a, int n) {
  std::set<std::string> made;
  char text[32];
  for (int i = 0; i < n; ++i) {
    for (int digit = 0, left = a[i]; digit < 24; ++digit, left /= 10)
      text[digit] = '0' + left % 10;
    made.insert(std::string(text, 24));
  }
  kept = made.size();
}

// law: n
ROUTINE void small_blocks(int* a, int n) {
  for (int i = 0; i < n; ++i) {
    int* copy = static_cast<int*>(malloc(24));
    *copy = a[i];
    kept = *copy;
    free(copy);
  }
}

// law: n
ROUTINE void rehash_now_and_then(int* keys, int n) { // amortised
  std::vector<int> table(8, -1);
  int used = 0;
  for (int i = 0; i < n; ++i) {
    if (++used * 2 > int(table.size())) {
      std::vector<int> old = table;
      table.assign(2 * old.size(), -1);
      for (int key : old)
        if (key != -1) {
          unsigned at = key * 2654435761u;
          while (table[at &= table.size() - 1] != -1)
            ++at;
          table[at] = key;
        }
    }
    unsigned at = keys[i] * 2654435761u;
    while (table[at &= table.size() - 1] != -1)
      ++at;
    table[at] = keys[i];
  }
}

template <class Build> static void build(Build routine, std::vector<int> keys) {
  std::vector<Node> nodes;
  for (int key : keys)
    nodes.push_back({key});
  Node* root = routine(nodes.data(), int(nodes.size()));
  kept = sum_tree(root);
  for (size_t i = 1; i < keys.size(); i *= 2)
    kept = find_in_tree(root, keys[i]);
}

int main() {
  sizes(40, 3000, [](int n) { build(build_search_tree, numbers(n, n)); });
  sizes(8, 250, [](int n) { build(build_degenerate_tree, ascending(n)); });
  sizes(40, 3000, [](int n) {
    std::vector<std::string> keys;
    for (int number : numbers(n, n))
      keys.push_back("the key of this entry " + std::to_string(number));
    fill_map(keys.data(), n);
  });
  for (auto routine :
       {fill_hash, append_to_vector, open_addressing, small_blocks, rehash_now_and_then})
    on_random(routine, 40, 4000);
  for (auto routine : {drain_queue, set_of_all})
    on_random(routine, 40, 2000);
  for (auto routine : {grow_by_one, append_by_walking})
    on_random(routine, 10, 300);
  on_random(chains_of_few_buckets, 100, 1500);
  sizes(10, 300, [](int n) {
    std::vector<int> a = numbers(n);
    erase_at_front(a);
  });
  sizes(20, 3000, [](int n) {
    std::vector<Cell> cells(n);
    for (int i = 0; i < n; ++i)
      cells[i] = {i, i + 1 < n ? &cells[i + 1] : nullptr};
    kept = reverse_list(&cells[0])->value;
    std::list<int> nodes(n, 3);
    free_nodes(nodes);
  });
}
