static __attribute__((noinline)) long part(const int* values, int count) {
  long sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i] * 5;
  return sum;
}

__attribute__((noinline)) long sum_there(const int* values, int count) {
  return part(values, count) + part(values, count / 2);
}
