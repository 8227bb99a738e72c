// An interpreter that runs a loop of a small program many times.
#include <stdio.h>
#include <stdlib.h>

enum { PUSH, ADD, MUL, DUP, DROP, LESS, JUMP_IF, LOAD, STORE, HALT };

static long run(const int *code, long limit) {
  long stack[64], vars[4] = {0, 0, limit, 1};
  int top = 0;
  for (int at = 0;;) switch (code[at++]) {
    case PUSH: stack[top++] = code[at++]; break;
    case ADD: top--; stack[top - 1] += stack[top]; break;
    case MUL: top--; stack[top - 1] = stack[top - 1] * stack[top] % 1000003; break;
    case DUP: stack[top] = stack[top - 1]; top++; break;
    case DROP: top--; break;
    case LESS: top--; stack[top - 1] = stack[top - 1] < stack[top]; break;
    case JUMP_IF: { int to = code[at++]; if (stack[--top]) at = to; break; }
    case LOAD: stack[top++] = vars[code[at++]]; break;
    case STORE: vars[code[at++]] = stack[--top]; break;
    case HALT: return vars[3];
    }
}

int main(void) {
  const int code[] = {LOAD, 3, PUSH, 7, MUL, LOAD, 0, ADD, PUSH, 1, ADD, STORE, 3, LOAD, 0, PUSH, 1, ADD, DUP, STORE, 0, LOAD, 2, LESS, JUMP_IF, 0, HALT};
  long sum = 0;
  for (long n = 200; n <= 4000; n += 200) sum += run(code, n);
  printf("%ld\n", sum);
}
