/* To be stripped. Each `from` goes on in its `to` by a jump, once before anybody has called that and
   ten times after. Each `to` has as many instructions as its name says. */
#include <dlfcn.h>
#include <stdio.h>

#define ROUTINES(name, jump, nops)                                                                 \
  void name##_from(void);                                                                          \
  void name##_to(void);                                                                            \
  asm(".pushsection .text\n.p2align 4\n" #name "_from:\n  xor %eax, %eax\n  " jump " " #name       \
      "_to\n  ud2\n.p2align 4\n" #name "_to:\n.rept " #nops "\n  nop\n.endr\n  ret\n"              \
      ".popsection\n")

ROUTINES(direct, "jmp", 20);
ROUTINES(conditional, "je", 30);
ROUTINES(by_pointer, "jmp", 40);
ROUTINES(loads, "jmp", 50);

static void (*volatile pointer)(void) = by_pointer_to;

#define NOINLINE __attribute__((noinline))

NOINLINE static void test_direct(void) {
  direct_from();
  direct_to();
  for (int i = 0; i < 10; i++)
    direct_from();
}

NOINLINE static void test_conditional(void) {
  conditional_from();
  conditional_to();
  for (int i = 0; i < 10; i++)
    conditional_from();
}

NOINLINE static void test_by_pointer(void) {
  by_pointer_from();
  pointer();
  for (int i = 0; i < 10; i++)
    by_pointer_from();
}

/* The call is known from before other debug info was read. */
NOINLINE static void test_loads(void) {
  loads_to();
  if (dlopen("libm.so.6", RTLD_NOW) == NULL)
    puts("no libm");
  for (int i = 0; i < 10; i++)
    loads_from();
}

int main(void) {
  test_direct();
  test_conditional();
  test_by_pointer();
  test_loads();
  return 0;
}
