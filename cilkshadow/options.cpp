#include "cilkshadow/options.hpp"

#include "base/valgrind.hpp"

namespace options {
namespace {
Options chosen;
}

const Options& get() { return chosen; }

bool parse(const char* argument) {
  const HChar* text = nullptr;
  Long number = 0;
  if (VG_STR_CLO(argument, "--cilkshadow-out-file", text)) {
    if (*text == 0)
      VG_(fmsg_bad_option)(argument, "wanted: --cilkshadow-out-file=<file>\n");
    chosen.out_file = text;
    return true;
  }
  if (VG_STR_CLO(argument, "--work", text)) {
    chosen.basic_blocks = VG_(strcmp)(text, "bb") == 0;
    if (!chosen.basic_blocks && VG_(strcmp)(text, "instr") != 0)
      VG_(fmsg_bad_option)(argument, "wanted: --work=instr|bb\n");
    return true;
  }
  constexpr Long kMostBurden = 1'000'000'000'000;
  if (VG_BINT_CLO(argument, "--burden", number, 0, kMostBurden)) {
    chosen.burden = static_cast<u64>(number);
    return true;
  }
  return false;
}

void print_usage() {
  VG_(printf)
  ("    --cilkshadow-out-file=<file>\n"
   "        profile output file; %%p is the process id, %%q{VAR}\n"
   "        an environment variable, %%n a number [cilkshadow.out.%%p]\n"
   "    --work=instr|bb\n"
   "        unit of work and span: guest instructions or guest\n"
   "        basic blocks [instr]\n"
   "    --burden=<number>\n"
   "        units of work that each spawn adds to the burdened span\n"
   "        of the child and of what runs beside it [15000]\n");
}

void print_debug_usage() { VG_(printf)("    (none)\n"); }

} // namespace options
