"""A suite: programs, and the inputs, threads and repetitions that each is run with."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from aprofplot.errors import AprofError

APROF = "aprof-trms"
NATIVE = "native"

# Resolved when a run is executed, so that a batch's folder may be moved.
LATE = ("run", "work", "setup", "shared", "tool")
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([A-Za-z][A-Za-z0-9_-]*)\}")


class SuiteError(AprofError):
    """A suite, or options for it, that cannot be run."""


@dataclass(frozen=True)
class Server:
    """How to use a program that does not end by itself; shell commands, run natively.

    `ready` is repeated until its status is 0, then `client` runs, then `stop` (empty: SIGTERM).
    """

    ready: str
    client: str
    stop: str


@dataclass(frozen=True)
class Program:
    """One program of a suite. Texts may hold placeholders. `timeout` is in seconds, `memory` in
    bytes; `inputs` maps an input's name to its placeholders' values, each of one or several words.
    `profiles`: globs of the programs whose profiles count, after `!` of those that do not.
    """

    name: str
    command: tuple[str, ...]
    inputs: Mapping[str, Mapping[str, tuple[str, ...]]]
    inputs_by_default: tuple[str, ...]
    threads: tuple[int, ...]
    takes_threads: bool
    repetitions: int
    tools: tuple[str, ...]
    tool_options: Mapping[str, tuple[str, ...]]
    environment: Mapping[str, str]
    timeout: float | None
    memory: int | None
    expected: tuple[int, ...]
    stdin: str
    folder: str
    setup: str
    prepare: str
    server: Server | None
    packages: tuple[str, ...]
    needs: tuple[str, ...]
    profiles: tuple[str, ...]


@dataclass(frozen=True)
class Suite:
    """A suite file. `folder`: the absolute path of where it lies."""

    name: str
    folder: str
    setup: str
    variables: Mapping[str, str]
    programs: tuple[Program, ...]


def fill(text: str, values: Mapping[str, str], where: str) -> str:
    """`text` with its placeholders replaced; `{{` and `}}` are braces. SuiteError, naming `where`,
    for an unknown one. Those in LATE stay."""

    def value(name: str, placeholder: str) -> str:
        if name in values:
            return values[name]
        if name in LATE:
            return placeholder
        known = ", ".join(sorted({*values, *LATE}))
        raise SuiteError(f"{where}: unknown placeholder {placeholder}", f"known are {known}")

    return _substitute(text, value, braces=True)


def fill_late(text: str, values: Mapping[str, str]) -> str:
    """`text`, that `fill` has been through, with the placeholders of LATE replaced."""
    return _substitute(text, lambda name, placeholder: values.get(name, placeholder), False)


def fill_shell(script: str, values: Mapping[str, str]) -> str:
    """A shell script with the placeholders in `values` replaced, quoted for the shell; all other
    braces are the shell's own."""

    def value(name: str, placeholder: str) -> str:
        return shlex.quote(values[name]) if name in values else placeholder

    return _substitute(script, value, braces=False)


def _substitute(text: str, value: Callable[[str, str], str], braces: bool) -> str:
    def replaced(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0][0] if braces else found[0]
        return value(found[1], found[0])

    return _PLACEHOLDER.sub(replaced, text)


def placeholders(text: str) -> set[str]:
    """The names of those in `text`."""
    return {found[1] for found in _PLACEHOLDER.finditer(text) if found[1] is not None}
