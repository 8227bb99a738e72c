"""Names of routines for people."""

from __future__ import annotations

import itertools
import os
import re
import shlex
from collections.abc import Sequence

from aprofplot.clone_names import function_name

NAME_WIDTH = 60  # characters of a routine's name in text, at most

# Brackets that are no brackets: in operators' names and arrows.
_NO_BRACKETS = re.compile(r"(?<=\boperator)(<=>|<<=|>>=|<<|>>|<=|>=|->\*|->|<|>|\(\))|->")
# Spaces inside a qualified name, which do not end a return type.
_NO_SPACES = re.compile(r"\(anonymous namespace\)| (?:const|volatile)\b| &&?(?=::)")
_QUALIFIER = re.compile(r"[<({\[>)}\]]|::|\.(?=[A-Za-z_(])")
_TAG = re.compile(r"\[abi:[^\]]*\]")
# Versions of libstdc++, libc++ and SYCL, in whatever namespace: such names are reserved for implementations.
_INLINE_NAMESPACE = re.compile(r"\b(?:__cxx11|__(?:ndk)?[0-9]+|_V[0-9]+)::")
_TOKEN = re.compile(r"[<({\[>)}\] ]|\boperator\b")
# Controls, ends of lines and paragraphs, and what turns the direction of text round.
_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_FORMULA = re.compile(r"[=+\-@\uff1d\uff0b\uff0d\uff20]")  # the last four: wide ones
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?", re.IGNORECASE)
_SOURCE_NAME = re.compile(r"L?([0-9]+)")  # of the Itanium C++ ABI, 5.1
_LOCAL_VARIABLE = re.compile(r"_ZZ.*E(L?[0-9]+[A-Za-z_]\w*?)(?:_[0-9]+)?")
_CRITICAL = re.compile(r"\.gomp_critical_user_(\w+)(?:\.var)?")  # gcc's symbol, and clang's
_CLOSURE = re.compile(r"::(?:\{lambda\(|\$_[0-9])")  # gcc's name, and clang's
_AFTER_PARAMETERS = re.compile(r"(?: const| volatile| &&?| noexcept| \[clone [^\]]*\])+$")


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """`text` with what `pattern` finds blanked out, at equal length."""
    return pattern.sub(lambda found: "." * len(found[0]), text)


def _brackets(name: str) -> str:
    """`name` with the brackets of operators' names blanked out, at equal length."""
    return _blank(_NO_BRACKETS, name)


def base_name(name: str) -> str:
    """A C++ name without return type and parameters: `void f<int>(long)` -> `f<int>`. What a
    function encloses keeps the function's: `f(int)::{lambda()#1}::operator()`."""
    ended = name[: len(_AFTER_PARAMETERS.sub("", name))]
    masked = _blank(_NO_SPACES, _brackets(ended))
    opening = _last_opening(masked)
    return name[_name_start(masked[:opening]) : opening] if opening > 0 else name


def _last_opening(masked: str) -> int:
    """Where the parameter list begins that `masked` ends with; 0 if it has none."""
    depth = 0
    for index in range(len(masked) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(masked[index], 0)
        if depth == 0:
            return index if masked[index] == "(" else 0
    return 0


def _name_start(masked: str) -> int:
    """Where the name begins after its return type, if there is one."""
    start = depth = 0
    for token in _TOKEN.finditer(masked):
        if token[0] in "<({[":
            depth += 1
        elif token[0] in ">)}]":
            depth -= 1
        elif depth == 0 and token[0] == " ":
            start = token.end()
        elif depth == 0:  # spaces after it belong to it: operator bool
            break
    return start


def function_of_closure(name: str) -> str:
    """The function whose closure a template has as an argument: `f` of `call<f(int)::{lambda()#1}>`; empty if it has
    none."""
    closure = _CLOSURE.search(name)
    if closure is None:
        return ""
    masked, depth = _brackets(name), 0
    for start in range(closure.start(), 0, -1):
        before = masked[start - 1]
        depth += (before in ")>]}") - (before in "(<[{")
        if depth < 0 or (depth == 0 and before == ","):
            return base_name(name[start : closure.start()].strip())
    return ""


def variable_name(symbol: str) -> str:
    """A C++ variable's name, of its symbol: `_ZN1a4lockE` -> `a::lock`, `_ZZ4mainE4lock` -> `lock`; that of
    a critical section of OpenMP: `.gomp_critical_user_best.var` -> `best`; others as they are."""
    critical = _CRITICAL.fullmatch(symbol)
    if critical:
        return critical[1]
    local = _LOCAL_VARIABLE.fullmatch(symbol)
    rest = local[1] if local else symbol.removeprefix("_Z")
    if rest == symbol:
        return symbol
    rest = rest[1:-1] if rest[:1] == "N" and rest[-1:] == "E" else rest
    names = []
    while found := _SOURCE_NAME.match(rest):
        names.append(rest[found.end() : found.end() + int(found[1])])
        rest = rest[found.end() + int(found[1]) :]
    names = ["(anonymous namespace)" if name == "_GLOBAL__N_1" else name for name in names]
    return "::".join(names) if names and not rest else symbol


def fold_templates(name: str) -> str:
    """Template arguments become `<...>`."""
    kept: list[str] = []
    depth = 0
    for char, bracket in zip(name, _brackets(name)):
        if bracket == "<":
            depth += 1
            if depth == 1:
                kept.append("<...>")
        elif bracket == ">" and depth > 0:
            depth -= 1
        elif depth == 0:
            kept.append(char)
    return "".join(kept)


def without_abi_versions(name: str) -> str:
    """`name` without ABI tags and the inline namespaces that are versions of a library's ABI, which nobody
    writes: `f[abi:cxx11]` -> `f`, `std::__1::sort` -> `std::sort`."""
    return _INLINE_NAMESPACE.sub("", _TAG.sub("", name))


def endings(name: str) -> list[str]:
    """What of a qualified name may be left out at its begin, the longest ending first:
    `a::B<c::d>::f` -> `B<c::d>::f`, `f`; Go's `main.(*T).f` -> `(*T).f`, `f`."""
    found = []
    depth = 0
    for token in _QUALIFIER.finditer(_brackets(name)):
        if token[0] in "<({[":
            depth += 1
        elif token[0] in ">)}]":
            depth -= 1
        elif depth == 0:
            found.append(name[token.end() :])
    return found


def qualified_parts(name: str) -> list[str]:
    """`a::B<c::d>::f` -> `a::`, `B<c::d>::`, `f`. What dots join is one part: `f.part.0`."""
    starts = [len(name) - len(ending) for ending in endings(name)]
    starts = [0, *(start for start in starts if name[:start].endswith("::")), len(name)]
    return [name[start:end] for start, end in itertools.pairwise(starts)]


def leaves_out_qualifiers(short: Sequence[str], name: str) -> bool:
    """Whether the parts `short` of a qualified name are those of `name` without some of its qualifiers:
    `lib::f` of `lib::v2::f`."""
    if len(short) < 2 or not name.endswith(short[-1]):
        return False
    parts = qualified_parts(name)
    following = iter(parts)
    return short[-1] == parts[-1] and all(part in following for part in short)


def called_name(name: str) -> str:
    """A routine's name as a call has it in the source: `a::f[abi:cxx11]<int>(long)` -> `f`."""
    plain = fold_templates(without_abi_versions(base_name(function_name(name)))).replace(
        "<...>", ""
    )
    return [plain, *endings(plain)][-1].rstrip()


def shorten(name: str, width: int) -> str:
    """At most `width` characters: as it is, then without parameters, then with templates folded,
    then cut in the middle."""
    for candidate in (name, base_name(name), fold_templates(base_name(name))):
        if len(candidate) <= width:
            return candidate
    half = (width - 3) // 2
    return f"{candidate[: width - 3 - half]}...{candidate[-half:]}"


def printable(text: str) -> str:
    """`text` as valid Unicode on one line that can neither drive a terminal nor turn round what
    stands beside it: control characters and bytes that were no UTF-8 become `\\xNN`, other
    characters that are not seen `\\uNNNN`."""
    return _UNSEEN.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:  # a byte: surrogateescape
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def unicode(text: str) -> str:
    """`text` as valid Unicode: bytes that were no UTF-8 become `\\xNN`."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def spreadsheet_text(text: str) -> str:
    """`text` as a cell of CSV that a spreadsheet shows: what it would run as a formula is behind an
    apostrophe. Numbers stay numbers."""
    shown = printable(text)
    return f"'{shown}" if _FORMULA.match(shown) and not _NUMBER.fullmatch(shown) else shown


def place(object_path: str, file: str, line: int) -> str:
    """`object:file:line` with base names, as much of it as is known."""
    parts = [os.path.basename(object_path) or object_path]
    if file:
        parts.append(os.path.basename(file) + (f":{line}" if line else ""))
    return ":".join(parts)


def program_name(command: str) -> str:
    """The file name of a command line's program."""
    try:
        words = shlex.split(command)
    except ValueError:  # no shell's quoting: an old or foreign profile
        words = command.split()
    return os.path.basename(words[0]) if words else ""


def counted(number: int, noun: str) -> str:
    """`1 routine`, `2 routines`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
