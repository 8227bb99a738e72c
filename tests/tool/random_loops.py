"""Random C programs: functions of nested loops that control leaves in every way that C has, and that
count themselves how often each loop is executed and goes round."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

FUNCTIONS = 30
_DEEPEST = 5  # blocks within each other
_STATEMENTS = 3  # at most, of a block

_HEAD = """\
#include <setjmp.h>
#include <stdio.h>

static long executions[1000], iterations[1000];
static volatile int sink;
static unsigned seed = %(seed)d;
static int fuel; // calls that are left
static jmp_buf *armed;

/* What is volatile keeps compilers from moving the count out of the loop, and the loop with it. */
#define BEGIN(loop) volatile int fresh_##loop = 1
#define ROUND(loop) (executions[loop] += fresh_##loop, fresh_##loop = 0, iterations[loop]++)

#if __has_attribute(noclone)
#define NOINLINE __attribute__((noinline, noclone))
#else
#define NOINLINE __attribute__((noinline))
#endif

NOINLINE static int below(int limit) {
  seed = seed * 1103515245 + 12345;
  return (int)(seed >> 16) %% limit;
}
NOINLINE static void leave(int when) {
  if (when && armed != NULL)
    longjmp(*armed, 1);
}
"""

_MAIN = """\
int main(void) {
  for (int n = 0; n < 6; n++)
    for (int i = 0; i < %(functions)d; i++) {
      static jmp_buf out;
      fuel = 40;
      armed = &out;
      if (setjmp(out) == 0)
        functions[i](n);
    }
  for (int loop = 0; loop < %(loops)d; loop++)
    if (iterations[loop] > 0)
      printf("%%d %%ld %%ld\\n", lines[loop], executions[loop], iterations[loop]);
  return 0;
}
"""


@dataclass
class _Loop:
    number: int
    variable: str
    is_left_from_within: bool = False  # by a goto from an inner loop


@dataclass
class _Scope:
    """What a statement may do. `open` are the loops around it that it may leave, from the outermost
    on, by a break or continue the innermost."""

    open: list[_Loop] = field(default_factory=list)
    variables: list[str] = field(default_factory=lambda: ["n"])
    depth: int = 0
    may_break: bool = True
    may_return: bool = True

    def within(self, **changes: Any) -> _Scope:
        """That of a block in it."""
        return replace(self, depth=self.depth + 1, **changes)


class RandomLoops:
    """The program of a seed: `source`, whose loops begin on `lines`, each on one of its own."""

    def __init__(self, seed: int, functions: int = FUNCTIONS) -> None:
        self._random = random.Random(seed)
        self._functions = functions
        self._code = (_HEAD % {"seed": seed}).splitlines()
        self.lines: list[int] = []
        names = [f"f{i}" for i in range(functions)]
        self._add(*(f"static void {name}(int n);" for name in names))
        for name in names:
            self._function(name)
        self._add(f"static void (*const functions[])(int) = {{{', '.join(names)}}};")
        self._add(f"static const int lines[] = {{{', '.join(map(str, self.lines))}}};")
        self._add(*(_MAIN % {"functions": functions, "loops": len(self.lines)}).splitlines())
        self.source = "\n".join(self._code) + "\n"

    def _add(self, *lines: str) -> None:
        self._code.extend(lines)

    def _one_in(self, times: int) -> bool:
        return self._random.randrange(times) == 0

    def _function(self, name: str) -> None:
        self._add(f"NOINLINE static void {name}(int n) {{", "if (fuel-- <= 0)", "return;")
        for _ in range(2):
            self._loop(_Scope())
        self._add("}")

    def _block(self, scope: _Scope) -> None:
        for _ in range(self._random.randint(1, _STATEMENTS)):
            self._statement(scope)

    def _statement(self, scope: _Scope) -> None:
        kinds: list[Callable[[_Scope], None]] = [self._work, self._call, self._leave]
        if scope.depth < _DEEPEST:
            kinds += [self._loop] * 3 + [self._choice, self._switch, self._protected]
        if scope.open:
            kinds += [self._jump] * 2
        self._random.choice(kinds)(scope)

    def _condition(self, scope: _Scope) -> str:
        variable = self._random.choice(scope.variables)
        return self._random.choice(
            [
                f"{variable} % 3 == 1",
                f"{variable} == {self._random.randrange(5)}",
                f"below({self._random.randint(2, 9)}) == 0",
                f"{variable} > 1 && below(3) == 0",
                "(sink & 7) == 3",
            ]
        )

    def _work(self, scope: _Scope) -> None:
        variable = self._random.choice(scope.variables)
        self._add(f"sink = sink {self._random.choice('+-^')} {variable};")

    def _call(self, scope: _Scope) -> None:
        callee = self._random.randrange(self._functions)
        self._add(f"f{callee}({self._random.choice(scope.variables)} / 2);")

    def _leave(self, scope: _Scope) -> None:
        if self._one_in(3):
            self._add(f"leave({self._condition(scope)});")

    def _choice(self, scope: _Scope) -> None:
        self._add(f"if ({self._condition(scope)}) {{")
        self._block(scope.within())
        if self._one_in(2):
            self._add("} else {")
            self._block(scope.within())
        self._add("}")

    def _switch(self, scope: _Scope) -> None:
        self._add(f"switch (below({self._random.randint(3, 9)})) {{")
        for case in range(self._random.randint(2, 7)):
            self._add(f"case {case}: {{")
            self._block(scope.within(may_break=False))
            self._add("}" if self._one_in(4) else "} break;")
        self._add("default: sink = 1;", "}")

    def _jump(self, scope: _Scope) -> None:
        """Out of loops, or to the next iteration."""
        ways = ["continue;"]
        if scope.may_break:
            ways.append("break;")
        if scope.may_return:
            ways.append("return;")
        outer = self._random.choice(scope.open)
        ways.append(f"goto out_{outer.number};")
        way = self._random.choice(ways)
        outer.is_left_from_within |= way.startswith("goto")
        self._add(f"if ({self._condition(scope)})", way)

    def _protected(self, scope: _Scope) -> None:
        """A longjmp out of it goes on behind it; nothing else leaves it."""
        self._add("{", "jmp_buf here, *const before = armed;", "armed = &here;")
        self._add("if (setjmp(here) == 0) {")
        self._block(scope.within(open=[], may_return=False))
        self._add("}", "armed = before;", "}")

    def _loop(self, scope: _Scope) -> None:
        number = len(self.lines)
        loop = _Loop(number, f"i{number}")
        self._add(f"BEGIN({number});")
        self._random.choice(
            [self._for, self._for, self._while, self._until, self._endless, self._by_goto]
        )(loop, scope)
        if loop.is_left_from_within:
            self._add(f"out_{number}:;")

    def _bound(self, scope: _Scope) -> str:
        constant = str(self._random.randint(1, 7))
        return self._random.choice(["n", "below(6)", constant, *scope.variables])

    def _begin(self, loop: _Loop, *head: str) -> None:
        """The last of the lines is where the loop begins."""
        self._add(*head)
        self.lines.append(len(self._code))
        self._add(f"ROUND({loop.number});")

    def _body(self, loop: _Loop, scope: _Scope) -> None:
        variables = [*scope.variables, loop.variable]
        within = scope.within(open=[*scope.open, loop], variables=variables, may_break=True)
        self._block(within)

    def _for(self, loop: _Loop, scope: _Scope) -> None:
        i, bound = loop.variable, self._bound(scope)
        further = self._random.choice(["", "", "", f" && {i} * {i} < 30", " && below(9) != 0"])
        step = self._random.choice(["++", "++", " += 2"])
        head = f"for (volatile int {i} = 0; {i} < {bound}{further}; {i}{step}) {{"
        self._begin(loop, head if self._one_in(2) else head.replace("volatile ", ""))
        self._body(loop, scope)
        self._add("}")

    def _while(self, loop: _Loop, scope: _Scope) -> None:
        i = loop.variable
        head = self._random.choice([f"while ({i}-- > 0) {{", f"while (below(12) < {i}) {{"])
        self._begin(loop, f"volatile int {i} = {self._bound(scope)};", head)
        self._body(loop, scope)
        self._add("}")

    def _until(self, loop: _Loop, scope: _Scope) -> None:
        i = loop.variable
        self._begin(loop, f"volatile int {i} = {self._bound(scope)};", "do {")
        self._body(loop, scope)
        self._add(self._random.choice([f"}} while (--{i} > 0);", "} while (below(4) != 0);"]))

    def _endless(self, loop: _Loop, scope: _Scope) -> None:
        i = loop.variable
        self._begin(loop, f"volatile int {i} = 0;", "for (;;) {")
        self._add(f"if ({i}++ >= {self._bound(scope)})", "break;")
        self._body(loop, scope)
        self._add("}")

    def _by_goto(self, loop: _Loop, scope: _Scope) -> None:
        i = loop.variable
        self._begin(loop, f"volatile int {i} = {self._bound(scope)};", f"again_{loop.number}:")
        # A break or continue would be another's.
        self._block(scope.within(open=[], variables=[*scope.variables, i]))
        self._add(f"if (--{i} > 0)", f"goto again_{loop.number};")
