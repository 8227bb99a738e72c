// As clang compiles a parallel region; the run-time library is the program's.
typedef void Body(int* thread, int* thread_of_team);

__attribute__((noinline, noipa)) void __kmpc_fork_call(void*, int, Body* body) {
  int thread = 0;
  body(&thread, &thread);
}

static void region(int*, int*) {}

int main() { __kmpc_fork_call((void*)0, 0, region); }
