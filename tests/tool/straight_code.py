"""Compiled code without branches, whose disassembly shows its cost between calls and markers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from compiling import cilk_flags, compiled
from running import run

# For the program: burn(n) executes 2 n + 1 instructions, stop(n) one.
LEAVES = r"""
#define ROUTINE(name, code) \
  __asm__(".globl " #name "\n.type " #name ",@function\n" #name ": " code "\n.size " #name ",.-" #name)
__asm__(".text");
ROUTINE(burn, "sub $1,%edi\n jne burn\n ret");
ROUTINE(stop, "ret");
void burn(long n);
void stop(long depth);
"""


def burning(n: int) -> int:
    """What a call of burn(n) executes."""
    return 2 * n + 1


def built(source: str, folder: Path) -> Path:
    """The program, with debug information; calls go straight to where they go."""
    (folder / "program.c").write_text(source)
    flags = ["-O2", "-fno-plt", "-fno-optimize-sibling-calls", "-Wl,-z,now", *cilk_flags()]
    return compiled("gcc", *flags, folder / "program.c", "-lpthread")


MARKER = re.compile(r"nopl\s+0x5c1b([0-9a-f]{4})\(%rax,%rax,1\)")


@dataclass(frozen=True)
class Step:
    """Instructions up to a call or the return, that one included, or up to a marker (with its
    kind), which costs nothing."""

    what: str
    cost: int


def steps(program: Path) -> dict[str, list[Step]]:
    """Of each function, which must not branch (those that do are left out)."""
    listing = run(["objdump", "-d", "--no-show-raw-insn", program]).stdout.decode()
    functions: dict[str, list[Step]] = {}
    for block in re.split(r"\n\n", listing):
        head = re.match(r"\s*[0-9a-f]+ <(\w+)>:\n", block)
        if head is not None and (found := _steps(block[head.end() :])) is not None:
            functions[head[1]] = found
    return functions


def _steps(code: str) -> list[Step] | None:
    found, cost = [], 0
    for line in code.splitlines():
        instruction = line.split("\t", 1)[1]
        what = ""
        cost += 1
        if marker := MARKER.match(instruction):
            what = f"marker {int(marker[1], 16)}"
            cost -= 1
        elif instruction.startswith(("call", "addr32 call")):
            what = "call"
        elif instruction.startswith("ret"):
            what = "return"
        elif instruction.startswith("j"):
            return None
        if what:
            found.append(Step(what, cost))
            cost = 0
        if what == "return":
            return found
    return None
