/* To be stripped. `first` goes on in `second` by a tail call, and `second`, in each of nine of its
   ten rounds, in code that both have. */
void first(long rounds);
void second(long rounds);
asm(".pushsection .text\n"
    ".p2align 4\nfirst:\n  xor %eax, %eax\n"
    "middle:\n  inc %eax\n  jmp second\n  ud2\n"
    ".p2align 4\nsecond:\n  dec %rdi\n  jg middle\n  ret\n"
    ".popsection\n");

int main(void) {
  second(1);
  first(10);
  second(10);
  return 0;
}
