/* To be stripped. `first` goes on in `second` by a tail call, and `second`, in each of nine of its
   ten rounds, in code that both have: `first` runs into it or, with JUMPS, jumps there. */
#ifdef JUMPS
#define TO_MIDDLE "  jmp middle\n  ud2\n"
#else
#define TO_MIDDLE ""
#endif

void first(long rounds);
void second(long rounds);
asm(".pushsection .text\n"
    ".p2align 4\nfirst:\n  xor %eax, %eax\n" TO_MIDDLE "middle:\n  inc %eax\n  jmp second\n  ud2\n"
    ".p2align 4\nsecond:\n  dec %rdi\n  jg middle\n  ret\n"
    ".popsection\n");

int main(void) {
  second(1);
  first(10);
  second(10);
  return 0;
}
