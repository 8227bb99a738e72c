// Appends to a list by walking it, and is ended amid that. Repaired: knows the end.
#include <stdlib.h>

struct Node {
  struct Node* next;
  int value;
};
static struct Node* first;

__attribute__((noinline)) static void append(int value) {
  struct Node *node = malloc(sizeof *node), **at = &first;
  node->value = value;
  node->next = NULL;
#ifdef REPAIRED
  static struct Node** end = &first;
  at = end;
  end = &node->next;
#else
  while (*at)
    at = &(*at)->next;
#endif
  *at = node;
  if (value == 1500)
    abort();
}

int main(void) {
  for (int i = 0;; i++)
    append(i);
}
