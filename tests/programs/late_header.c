/* A loop that is known only once a computed jump has led to its second half. Its header is then in the
   middle of code that has been executed. Compilers would jump to it, so that it began a block. */
volatile int sink;
int rounds(int n);
__asm__(".text\n"
        ".type rounds, @function\n"
        "rounds:\n"
        "  xor %eax, %eax\n"
        "  incl sink(%rip)\n"
        ".Lmiddle:\n"
        "  incl sink(%rip)\n"
        "  inc %eax\n"
        "  xor %ecx, %ecx\n"
        "  cmp %edi, %eax\n"
        "  setge %cl\n"
        "  lea .Lto(%rip), %rdx\n"
        "  jmp *(%rdx,%rcx,8)\n"
        ".Lagain:\n"
        "  incl sink(%rip)\n"
        "  jmp .Lmiddle\n"
        ".Lout:\n"
        "  ret\n"
        ".size rounds, . - rounds\n"
        ".section .data.rel.ro, \"aw\"\n"
        ".balign 8\n"
        ".Lto: .quad .Lagain, .Lout\n"
        ".text\n");

int main(void) {
  for (int call = 0; call < 10; call++)
    rounds(5);
}
