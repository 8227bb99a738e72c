// Opens and closes libraries, each where the one before was, and calls their only function. Prints
// how many of them were not mapped where the first was.
#include <dlfcn.h>
#include <stdio.h>

__attribute__((noinline, noipa)) int call_it(int (*function)(const int*), const int* cells) {
  return function(cells);
}

int main(int argc, char** argv) {
  static int cells[100];
  void* first = NULL;
  int elsewhere = 0;
  for (int i = 0; i < 100; i++)
    cells[i] = i;
  for (int i = 1; i + 1 < argc; i += 2) {
    void* library = dlopen(argv[i], RTLD_NOW);
    if (library == NULL) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    int (*function)(const int*);
    *(void**)&function = dlsym(library, argv[i + 1]);
    if (first == NULL)
      first = *(void**)&function;
    elsewhere += *(void**)&function != first;
    call_it(function, cells);
    call_it(function, cells);
    dlclose(library);
  }
  printf("%d\n", elsewhere);
  return 0;
}
