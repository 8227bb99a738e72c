"""Names of what compilers make of one function besides its plain code, copies and pieces, as
trace/clone_names.hpp has them: `f.constprop.0`, `f.part.0`, `f.cold`, LTO's `f.lto_priv.0`, clang's
`f.llvm.123`, target_clones' `f.avx2`; demangled `f(int) [clone .isra.0]`. What run-time libraries call,
as `f._omp_fn.0`, is a function of its own."""

from __future__ import annotations

import functools
import re

# Code of languages whose own names have dots must not be taken for a copy.
_SUFFIX = (
    r"\.(?:(?:constprop|isra|part|clone|llvm|lto_priv|__uniq|specialized)(?:\.[0-9]+)+"
    r"|(?:cold|localalias|default|avx|avx2|avx512\w*|sse2|sse3|ssse3|sse4_1|sse4_2|fma|bmi|bmi2|popcnt"
    r"|arch_\w+)(?:\.[0-9]+)*)"
)
_CLONE = re.compile(
    rf"(?:(?<=.){_SUFFIX}| \[clone (?:(?:{_SUFFIX})+|\.[0-9]+)\]| \((?:{_SUFFIX})+\))+$"
)
_BRACKETS = re.compile(r" \[clone (?=\.)| \((?=\.)|[\])]")
_PIECE = re.compile(r"\.(?:part\.[0-9]|cold\b)")


def function_name(name: str) -> str:
    """The name of the function that people wrote."""
    return _CLONE.sub("", name)


@functools.cache
def clone_suffixes(name: str) -> str:
    """What a demangled name says after the function's, as the symbol has it: `.isra.0.cold` of
    `f(int) [clone .isra.0] [clone .cold]`."""
    return _BRACKETS.sub("", name[len(function_name(name)) :])


def is_piece(name: str) -> bool:
    """Whether it is of code that was split off, which what is left of the function calls."""
    return _PIECE.search(name, len(function_name(name))) is not None
