// Evaluates nested expressions; for each parenthesis its partner is looked for to the end of the text.
// culprit: partner, value, evaluate
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef REPAIRED
static const char *partner(const char *at) {
  int depth = 0;
  for (;; at++) { // CULPRIT
    if (*at == '(') depth++;
    if (*at == ')' && --depth == 0) return at;
  }
}

static long value(const char *from, const char *to) {
  long sum = 0;
  while (from < to) {
    if (*from == '(') {
      const char *end = partner(from);
      sum += 1 + value(from + 1, end) % 1000;
      from = end + 1;
    } else sum += *from++ - '0';
  }
  return sum;
}

static long evaluate(const char *text) { return value(text, text + strlen(text)); }
#else
static const char *at;

static long value(void) {
  long sum = 0;
  while (*at && *at != ')') {
    if (*at == '(') {
      at++;
      sum += 1 + value() % 1000;
      at++;
    } else sum += *at++ - '0';
  }
  return sum;
}

static long evaluate(const char *text) {
  at = text;
  return value();
}
#endif

int main(void) {
  long sum = 0;
  for (int depth = 150; depth <= 1500; depth += 150) {
    char *text = malloc((size_t)depth * 4 + 1), *to = text;
    for (int i = 0; i < depth; i++) *to++ = (char)('1' + i % 9), *to++ = '(';
    for (int i = 0; i < depth; i++) *to++ = (char)('1' + i % 7), *to++ = ')';
    *to = 0;
    sum += evaluate(text);
    free(text);
  }
  printf("%ld\n", sum);
}
