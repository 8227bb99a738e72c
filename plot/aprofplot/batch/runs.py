"""The runs that a suite asks for: each program on each of its inputs, threads, repetitions, tools."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from aprofplot.batch.suite import (
    NATIVE,
    Program,
    Server,
    Suite,
    SuiteError,
    fill,
    fill_shell,
    placeholders,
)

# Options of Valgrind's tools that say where a file goes; %p: one for each process.
_OUT_FILE = {
    "aprof-trms": "--aprof-out-file={run}/aprof.out.%p",
    "cachegrind": "--cachegrind-out-file={run}/cachegrind.out.%p",
    "callgrind": "--callgrind-out-file={run}/callgrind.out.%p",
    "dhat": "--dhat-out-file={run}/dhat.out.%p",
    "massif": "--massif-out-file={run}/massif.out.%p",
}
ALL_VALGRIND = "valgrind"  # in tool-options: for every tool but native


@dataclass(frozen=True)
class Run:
    """One run, with all its placeholders filled but those of suite.LATE. `under`: what comes before
    the command, empty for a native run. `setups`: their names and scripts, in order."""

    program: str
    input: str
    threads: int
    repetition: int
    tool: str
    under: tuple[str, ...]
    command: tuple[str, ...]
    environment: Mapping[str, str]
    expected: tuple[int, ...]
    stdin: str
    folder: str
    prepare: str
    server: Server | None
    profiles: tuple[str, ...]
    setups: tuple[tuple[str, str], ...]
    timeout: float | None
    memory: int | None

    @property
    def id(self) -> str:
        """Its folder, below `runs`."""
        numbers = f"t{self.threads}-r{self.repetition}"
        return f"{self.program}/{self.input}-{numbers}-{self.tool}"

    @property
    def fingerprint(self) -> str:
        """Equal for runs that measure the same: limits do not count."""
        what = asdict(replace(self, timeout=None, memory=None))
        return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:16]

    def json(self) -> dict[str, Any]:
        """The run as `from_json` reads it."""
        return asdict(self)


def from_json(document: dict[str, Any]) -> Run:
    """A run from its run.json."""
    fields = {k: tuple(v) if isinstance(v, list) else v for k, v in document.items()}
    fields["setups"] = tuple((name, script) for name, script in document["setups"])
    fields["server"] = document["server"] and Server(**document["server"])
    return Run(**fields)


@dataclass(frozen=True)
class Selection:
    """What the command line takes of a suite, or puts in its place; empty: as the suite says."""

    programs: Sequence[str] = ()
    inputs: Sequence[str] = ()
    tools: Sequence[str] = ()
    threads: Sequence[int] = ()
    repetitions: int | None = None
    timeout: float | None = None
    memory: int | None = None
    valgrind: Sequence[str] = ("valgrind",)


def expand(suite: Suite, selection: Selection) -> list[Run]:
    """All runs of the selected part of a suite, in the suite's order, native runs first."""
    _check_names("program", selection.programs, [p.name for p in suite.programs])
    chosen = [p for p in suite.programs if not selection.programs or p.name in selection.programs]
    _check_names("input", selection.inputs, [name for p in chosen for name in p.inputs])
    return [run for program in chosen for run in _runs(suite, program, selection)]


def _check_names(kind: str, wanted: Iterable[str], known: Sequence[str]) -> None:
    for name in wanted:
        if name not in known:
            there = ", ".join(dict.fromkeys(known))
            raise SuiteError(f"the suite has no {kind} {name}", f"it has {there}")


def _runs(suite: Suite, program: Program, selection: Selection) -> Iterator[Run]:
    threads = (selection.threads if program.takes_threads else ()) or program.threads
    for name in program.inputs:
        if name not in (selection.inputs or program.inputs_by_default):
            continue
        for count in threads:
            for repetition in range(1, (selection.repetitions or program.repetitions) + 1):
                for tool in selection.tools or program.tools:
                    numbers = {"threads": str(count), "repetition": str(repetition)}
                    filler = _Filler(suite, program, name, numbers)
                    yield _run(filler, selection, count, repetition, tool)


class _Filler:
    """Fills the placeholders of one run's texts. Values of inputs may hold placeholders themselves:
    the suite's variables and folder, the numbers."""

    def __init__(self, suite: Suite, program: Program, name: str, numbers: Mapping[str, str]):
        self.suite, self.program, self.input = suite, program, name
        self._where = f"{suite.name}: programs.{program.name}"
        fixed = {
            **suite.variables,
            "suite": suite.folder,
            "program": program.name,
            **numbers,
        }
        where = f"{self._where}.inputs.{name}"
        self._words = {
            key: [fill(word, fixed, where) for word in words]
            for key, words in program.inputs[name].items()
        }
        texts = {key: " ".join(words) for key, words in self._words.items()}
        self._values = {"input": name, **texts, **fixed}

    def text(self, text: str) -> str:
        for name, value in self.suite.variables.items():
            if not value and name in placeholders(text):
                what = f"the suite {self.suite.name} needs {name}"
                raise SuiteError(what, f"give it as --set {name}=VALUE")
        return fill(text, self._values, self._where)

    def words(self, words: Iterable[str]) -> tuple[str, ...]:
        """A placeholder that is a word of its own becomes as many words as its value has."""
        filled: list[str] = []
        for word in words:
            own = self._words.get(word[1:-1]) if word[:1] + word[-1:] == "{}" else None
            filled += [self.text(word)] if own is None else own
        return tuple(filled)

    def shell(self, script: str) -> str:
        return fill_shell(script, self._values)


def _run(filler: _Filler, selection: Selection, threads: int, repetition: int, tool: str) -> Run:
    program = filler.program
    server = program.server
    setups = [
        ("shared", filler.suite.setup),
        (f"programs/{program.name}", program.setup),
    ]
    return Run(
        program=program.name,
        input=filler.input,
        threads=threads,
        repetition=repetition,
        tool=tool,
        under=tuple(filler.text(word) for word in _under(tool, program, selection.valgrind)),
        command=filler.words(program.command),
        environment={k: filler.text(v) for k, v in program.environment.items()},
        expected=program.expected,
        stdin=filler.text(program.stdin),
        folder=filler.text(program.folder),
        prepare=filler.shell(program.prepare),
        server=server
        and Server(*(filler.shell(text) for text in (server.ready, server.client, server.stop))),
        profiles=program.profiles,
        setups=tuple((name, _setup(filler, script)) for name, script in setups if script),
        timeout=selection.timeout or program.timeout,
        memory=selection.memory or program.memory,
    )


def _setup(filler: _Filler, script: str) -> str:
    """A setup is for all runs of its program: only the suite's own values are known to it."""
    values = {**filler.suite.variables, "suite": filler.suite.folder}
    return fill_shell(script, {**values, "program": filler.program.name})


def _under(tool: str, program: Program, valgrind: Sequence[str]) -> list[str]:
    if tool == NATIVE:
        return []
    out_file = [_OUT_FILE[tool]] if tool in _OUT_FILE else []
    options = [
        *program.tool_options.get(ALL_VALGRIND, ()),
        *program.tool_options.get(tool, ()),
    ]
    return [*valgrind, "-q", f"--tool={tool}", *out_file, *options]
