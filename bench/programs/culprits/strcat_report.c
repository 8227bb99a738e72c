// Builds a report with strcat, which looks for the end of the text each time.
// culprit: report, add_line
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report {
  char* text;
  char* end;
};

static void add_line(struct report* report, const char* name, int amount) {
  char line[64];
  int length = snprintf(line, sizeof line, "%s\t%d\n", name, amount);
#ifdef REPAIRED
  memcpy(report->end, line, length + 1);
  report->end += length;
#else
  (void)length;
  strcat(report->text, line); // CULPRIT
#endif
}

int main(void) {
  struct report report = {calloc(1, 1 << 17), NULL};
  report.end = report.text;
  for (int i = 0; i < 4000; i++)
    add_line(&report, i % 3 ? "rent" : "food", i * 31 % 877); // CULPRIT
  unsigned sum = 0;
  for (const char* each = report.text; *each; each++)
    sum = sum * 31 + *each;
  printf("%u\n", sum);
  free(report.text);
  return 0;
}
