// A merge sort of linked lists, of several lengths.
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
  struct Node *next;
  int key;
} Node;

static Node *merge(Node *a, Node *b) {
  Node *first = NULL, **end = &first;
  while (a && b) {
    Node **least = a->key <= b->key ? &a : &b;
    *end = *least;
    end = &(*least)->next;
    *least = *end;
  }
  *end = a ? a : b;
  return first;
}

static Node *sort(Node *list) {
  if (!list || !list->next) return list;
  Node *slow = list, *fast = list->next;
  while (fast && fast->next) {
    slow = slow->next;
    fast = fast->next->next;
  }
  Node *half = slow->next;
  slow->next = NULL;
  return merge(sort(list), sort(half));
}

int main(void) {
  long sum = 0;
  for (int n = 250; n <= 4000; n += 250) {
    Node *list = NULL;
    for (int i = 0; i < n; i++) {
      Node *node = malloc(sizeof *node);
      *node = (Node){list, (int)(i * 2654435761u % 1000003)};
      list = node;
    }
    list = sort(list);
    for (int k = 0; k < n / 2; k++) list = list->next;
    sum += list->key;
  }
  printf("%ld\n", sum);
}
