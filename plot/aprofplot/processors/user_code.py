"""The user's frames of a call path: the program's own code, and bodies that templates of libraries
run, named after the lambda or class given to them."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field

from aprofplot.names import base_name, printable
from aprofplot.processors.forks import OUTLINED, bodies_of_paths
from aprofplot.ownership import is_system_object, is_system_source, own_routines
from aprofplot.work_span.model import CallPath, CallSite, Dag

_LAMBDA = re.compile(r"::(?:\{lambda\(|(\$_[0-9]+))")  # gcc's names, and clang's
_NUMBER = re.compile(r"#[0-9]+")
_LIBRARY = r"(std|tbb|oneapi|__gnu_\w+)::"
_SYSTEM = re.compile(rf"(\w[\w:<>*& ]* )?{_LIBRARY}")
_NO_BODY = re.compile(rf"{_LIBRARY}|(void|bool|char|short|int|long|unsigned|signed|float|double)\b")
_CLASS = re.compile(r"[A-Za-z_][\w:]*")
_IN_BRACKETS = re.compile(r"<[^<>]*>")
_POINTER = re.compile(r"(?:\(|::)\*\)")  # to a function, in its type
_INVOKER = "std::thread::_Invoker<std::tuple<"
INLINED_BODY = "operator()"  # what debug information calls a body that is inlined into its template
_RUNS_A_CLASS = re.compile(rf"{_INVOKER}|\btbb::detail::d[0-9]::\w+<")


@dataclass(frozen=True, slots=True)
class Frame:
    """A call of the user's `function`, and where that is: the call, or else the function, or what has
    called it; `file` is empty and `line` 0 if unknown. `last_line`: of a loop, else 0. `object`: whose debug
    information names the file. `site`: of the call, or of that whose callee has the loop or inlined function.
    """

    function: str
    file: str
    line: int
    last_line: int = field(default=0, compare=False)
    object: str = field(default="", compare=False)
    site: CallSite | None = field(default=None, compare=False)


def functions_on(dag: Dag) -> list[str]:
    """By path, what it ends in, as the source has it: the callee, or what a loop is written in, which may
    have been inlined; empty if unknown. A body that a compiler outlined without a name has its caller's.
    """
    found: list[str] = []
    callee: list[str] = []  # of the innermost call
    for call in dag.paths:
        callee.append(call.site.callee.name if call.site else callee[call.caller] if callee else "")
        is_known = call.loop is not None or call.inlined is not None or call.site is not None
        name = _function_on(call) or (found[call.caller] if is_known else "")
        found.append(
            plain_name(callee[-1]) if name == INLINED_BODY and body_name(callee[-1]) else name
        )
    return found


def _function_on(call: CallPath) -> str:
    if call.loop is not None:
        return plain_name(call.loop.function or call.loop.routine.name)
    if call.inlined is not None:
        return plain_name(call.inlined.name)
    return plain_name(call.site.callee.name) if call.site is not None else ""


@functools.lru_cache(maxsize=None)
def plain_name(symbol: str) -> str:
    """A routine as the source has it: without parameters and what a compiler adds for a body that it
    outlined; of a library's template the user's body in it."""
    name = printable(symbol)
    name = body_name(name) or base_name(name)
    return OUTLINED.split(name)[0].removeprefix(".")


def body_name(name: str) -> str:
    """The lambda, or the class with an operator (), that the name has as an argument; empty: none."""
    for found in _LAMBDA.finditer(name):
        function = base_name(name[_start(name, found.start()) : found.start()])
        if _SYSTEM.match(function):
            continue
        if found[1]:
            return f"{function}::{found[1]}"
        number = _NUMBER.search(name, found.end())
        return f"{function}::{{lambda{number[0] if number else ''}}}"
    of = _RUNS_A_CLASS.search(name)
    arguments = _arguments(name[of.end() :]) if of else []
    if of and of[0] == _INVOKER:
        del arguments[1:]  # which are what is called with
    for argument in arguments:
        of_class = _CLASS.match(argument)
        if of_class and not _NO_BODY.match(argument) and not _is_pointer(argument):
            return f"{of_class[0]}::operator()"
    return ""


def _is_pointer(argument: str) -> bool:
    """Whether the type is a pointer to a function, which begins with what that returns."""
    outer = _IN_BRACKETS.sub("", argument)
    while outer != argument:
        argument, outer = outer, _IN_BRACKETS.sub("", outer)
    return bool(_POINTER.search(outer))


def _start(name: str, end: int) -> int:
    """Where the qualified name begins that ends there."""
    depth = 0
    for index in range(end - 1, -1, -1):
        if name[index] in ")>}]":
            depth += 1
        elif name[index] in "(<{[":
            depth -= 1
        if depth < 0 or (depth == 0 and name[index] in ", "):
            return index + 1
    return 0


def _arguments(text: str) -> list[str]:
    """Those of a template, as far as its closing bracket."""
    found, depth, begin = [], 0, 0
    for index, char in enumerate(text):
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(char, 0)
        if depth < 0 or (depth == 0 and char == ","):
            found.append(text[begin:index].strip())
            begin = index + 1
        if depth < 0:
            break
    return found


class UserCode:
    """Of a dag's paths, by number."""

    def __init__(self, dag: Dag) -> None:
        self._dag = dag
        sites = [call.site for call in dag.paths if call.site is not None]
        own = own_routines(site.callee for site in sites if not _SYSTEM.match(site.callee.name))
        bodies = {site.callee.key for site in sites if body_name(site.callee.name)}
        self._own = own | bodies
        self._inside: dict[int, list[CallPath]] = {}  # of bodies, by their paths
        for call in dag.paths:
            caller = dag.paths[call.caller].site
            if caller is not None and caller.callee.key in bodies:
                self._inside.setdefault(call.caller, []).append(call)
        self._bodies = bodies_of_paths(dag)
        self._functions = functions_on(dag)

    def innermost(self, path: int) -> int:
        """The path to the innermost of its calls that is the user's; 0: none is."""
        while path and not self._is_own(path):
            path = self._dag.paths[path].caller
        return path

    def function(self, path: int) -> str:
        """The user's innermost function on it; empty: none is."""
        return self._functions[self.innermost(path)]

    def body(self, path: int) -> int:
        """The path to the user's body that is forked or runs as a thread: the innermost on the way; 0:
        none is."""
        body = self._bodies[path]
        inwards = [path] if body else []
        while inwards and inwards[-1] != body:
            inwards.append(self._dag.paths[inwards[-1]].caller)
        return next((p for p in inwards[::-1] if self._is_own(p)), self.innermost(body))

    def frames(self, path: int) -> tuple[Frame, ...]:
        """The user's calls on it, the outermost first."""
        found: list[Frame] = []
        paths = []
        while path:
            paths.append(path)
            path = self._dag.paths[path].caller
        place: _Place = "", 0, 0, ""
        site = None
        for number in reversed(paths):
            call = self._dag.paths[number]
            site = call.site or site
            if not self._is_own(number):
                continue
            object_path = site.callee.object if site else ""
            place = _place(call, site) or self._first_inside(number, object_path) or place
            frame = Frame(self._functions[number], *place, site)
            if found and found[-1].function == frame.function:
                found.pop()  # it is a loop of the same function, or a body outlined from it
            found.append(frame)
        return tuple(found)

    def _first_inside(self, path: int, object_path: str) -> _Place | None:
        """Of a body that a library's template has inlined, the first line that its loops and calls have."""
        calls = self._inside.get(path, ())
        inside = [of for call in calls if (of := call.loop or call.inlined or call.site)]
        places = [(of.file, of.line) for of in inside if of.line and not is_system_source(of.file)]
        if not places:
            return None
        file = places[0][0]
        return file, min(line for name, line in places if name == file), 0, object_path

    def _is_own(self, path: int) -> bool:
        call = self._dag.paths[path]
        if call.loop is not None:
            of = call.loop
            return not is_system_source(of.file) and not is_system_object(of.routine.object)
        if call.inlined is not None:
            return True
        return call.site is not None and call.site.callee.key in self._own


_Place = tuple[str, int, int, str]  # file, line, last line of a loop, object


def _place(call: CallPath, site: CallSite | None) -> _Place | None:
    """In the user's source, "" if unknown. `site`: the call's, or the innermost one outside of it."""
    object_path = site.callee.object if site else ""
    if call.loop is not None:
        of = call.loop
        return of.file, of.line, of.last_line, of.routine.object
    if call.inlined is not None:
        return call.inlined.file, call.inlined.line, 0, object_path
    if site is None:
        return None
    if site.line and not is_system_source(site.file):
        return site.file, site.line, 0, site.caller.object if site.caller else object_path
    if not site.callee.line:  # unknown, and not where its caller is
        return "", 0, 0, object_path
    if not is_system_source(site.callee.file):
        return site.callee.file, site.callee.line, 0, object_path
    return None
