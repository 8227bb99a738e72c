// Follows a log that grows; each time all of it is read again to find the new lines.
// culprit: new_lines, follow, count_errors
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static int new_lines(long* seen) {
  FILE* file = fopen(path, "r");
  char line[128];
  long number = 0;
  int errors = 0;
#ifdef REPAIRED
  fseek(file, *seen, SEEK_SET);
  while (fgets(line, sizeof line, file))
    errors += strstr(line, "error") != NULL;
  *seen = ftell(file);
#else
  while (fgets(line, sizeof line, file)) // CULPRIT
    if (number++ >= *seen)
      errors += strstr(line, "error") != NULL;
  *seen = number;
#endif
  fclose(file);
  return errors;
}

static int follow(int rounds) {
  FILE* file = fopen(path, "w");
  long seen = 0;
  int errors = 0;
  for (int i = 0; i < rounds; i++) {
    for (int k = 0; k < 5; k++)
      fprintf(file, "%06d %s in module %d\n", i * 5 + k, k == i % 7 ? "error" : "all is well",
              i % 19);
    fflush(file);
    errors += new_lines(&seen);
  }
  fclose(file);
  return errors;
}

int main(void) {
  int sum = 0;
  snprintf(path, sizeof path, "/tmp/tail_log.%d", getpid());
  for (int rounds = 10; rounds <= 120; rounds += 10)
    sum += follow(rounds);
  unlink(path);
  printf("%d\n", sum);
}
