// Settings are read from the whole text of the configuration at each use.
// culprit: setting, run_jobs
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *make_config(int keys) {
  char *text = malloc((size_t)keys * 32 + 1), *end = text;
  for (int i = 0; i < keys; i++) end += sprintf(end, "option_%d = %d\n", i, i * 3);
  return text;
}

#ifdef REPAIRED
static int *values;
static void load(const char *text) {
  values = malloc(100000 * sizeof *values);
  int i, v, used;
  while (sscanf(text, "option_%d = %d\n%n", &i, &v, &used) == 2) values[i] = v, text = strchr(text, '\n') + 1;
}
static int setting(const char *text, int key) {
  if (!values) load(text);
  return values[key];
}
#else
static int setting(const char *text, int key) {
  char name[32];
  int length = snprintf(name, sizeof name, "option_%d ", key);
  for (const char *line = text; *line; line = strchr(line, '\n') + 1) // CULPRIT
    if (strncmp(line, name, (size_t)length) == 0) return atoi(strchr(line, '=') + 1);
  return 0;
}
#endif

static long job(int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) sum += i * n % 7;
  return sum;
}

static long run_jobs(const char *config, int keys) {
  long sum = 0;
  for (int i = 0; i < keys; i++) sum += job(setting(config, i) % 50);
  return sum;
}

int main(void) {
  char *config = make_config(800);
  printf("%ld\n", run_jobs(config, 800));
}
