// Gives each file of a folder a name that is still free: tries report-1, report-2 and so on.
// culprit: free_name, save
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void free_name(char* name, size_t size) {
#ifdef REPAIRED
  static int last;
  int number = last;
#else
  int number = 0;
#endif
  do {
    snprintf(name, size, "report-%d.txt", ++number); // CULPRIT
  } while (access(name, F_OK) == 0);
#ifdef REPAIRED
  last = number;
#endif
}

static void save(const char* text) {
  char name[40];
  free_name(name, sizeof name);
  FILE* file = fopen(name, "w");
  fputs(text, file);
  fclose(file);
}

int main(void) {
  char folder[] = "/tmp/free_nameXXXXXX", name[40];
  if (!mkdtemp(folder) || chdir(folder))
    return 1;
  for (int i = 0; i < 400; i++)
    save("all is well\n");
  for (int i = 1; i <= 400; i++) {
    snprintf(name, sizeof name, "report-%d.txt", i);
    unlink(name);
  }
  rmdir(folder);
  puts("done");
}
