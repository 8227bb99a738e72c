// A run-time library of known cost: routines with names like libgomp's and the C library's, that execute as many
// instructions as tests/tool/test_dag.py says.
__asm__(".text\n"
        ".macro routine name\n"
        ".globl \\name\n"
        ".type \\name, @function\n"
        "\\name:\n"
        ".endm\n"
        ".macro end name\n"
        "ret\n"
        ".size \\name, . - \\name\n"
        ".endm\n"

        "routine gomp_team_like\n"
        ".rept 10\nnop\n.endr\n"
        "end gomp_team_like\n"

        "routine gomp_inner\n"
        ".rept 30\nnop\n.endr\n"
        "end gomp_inner\n"

        "routine gomp_malloc_like\n"
        ".rept 40\nnop\n.endr\n"
        "call gomp_inner\n"
        "end gomp_malloc_like\n"

        "routine __futex_like\n"
        ".rept 50\nnop\n.endr\n"
        "end __futex_like\n"

        // 29 instructions to its first pause, 12 from there to the end.
        "routine gomp_barrier_like\n"
        ".rept 20\nnop\n.endr\n"
        "call gomp_inner\n"
        "call gomp_malloc_like\n"
        "mov $3, %ecx\n"
        ".rept 5\nnop\n.endr\n"
        "0: pause\n"
        "nop\n"
        "dec %ecx\n"
        "jnz 0b\n"
        "end gomp_barrier_like\n");

void gomp_team_like(void);
void gomp_barrier_like(void);
void __futex_like(void);

int main(void) {
  gomp_team_like();
  for (int i = 0; i < 7; i++)
    gomp_barrier_like();
  __futex_like();
  return 0;
}
