// With folded_there.c: linkers may fold the functions of the two files, which have the same code.
extern long sum_there(const int* values, int count);

static __attribute__((noinline)) long part(const int* values, int count) {
  long sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i] * 5;
  return sum;
}

__attribute__((noinline)) long sum_here(const int* values, int count) {
  return part(values, count) + part(values, count / 2);
}

int values[100];

int main(void) {
  long all = 0;
  for (int n = 1; n < 100; n++)
    all += sum_here(values, n) + sum_there(values, n);
  return all != 0;
}
