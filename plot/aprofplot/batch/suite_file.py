"""Reads a suite file: TOML, with the keys of docs/manual/aprof-batch.md (suite.schema.json)."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aprofplot.batch.suite import (
    APROF,
    Program,
    Server,
    Suite,
    SuiteError,
    placeholders,
)

_HERE = Path(__file__).parent
BUILT_IN = _HERE / "suites"
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_BYTES = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_SERVER = ("ready", "client", "stop")


def built_in() -> list[str]:
    """The names of the suites that come with aprof-batch."""
    return sorted(path.stem for path in BUILT_IN.glob("*.toml"))


def about(name: str) -> str:
    """What a built-in suite is: what its file begins with, up to the first full stop or colon."""
    comment = re.match(r"((# .*\n)+)", (BUILT_IN / f"{name}.toml").read_text())
    assert comment is not None
    return re.split(r"[.:] ", comment[1].replace("\n# ", " ").removeprefix("# "))[0]


def load(path_or_name: str, variables: Mapping[str, str]) -> Suite:
    """The suite in a file, or the built-in one of that name, with its variables set. SuiteError if
    it cannot be read or says something wrong."""
    path = Path(path_or_name)
    if path_or_name in built_in() and not path.is_file():
        path = BUILT_IN / f"{path_or_name}.toml"
    try:
        document = tomllib.loads(path.read_text())
    except FileNotFoundError as error:
        names = ", ".join(built_in())
        what = f"there is no suite {path_or_name}"
        raise SuiteError(what, f"name a file, or a built-in one: {names}") from error
    except OSError as error:
        raise SuiteError(
            f"{path}: cannot be read: {error.strerror}", "name a suite file"
        ) from error
    except ValueError as error:  # TOML errors name line and column
        raise SuiteError(f"{path}: {error}", "correct it") from error
    _check(path, document)
    return _suite(path, document, variables)


def _check(path: Path, document: Any) -> None:
    import jsonschema  # --help does without

    schema = json.loads((_HERE / "suite.schema.json").read_text())
    error = jsonschema.exceptions.best_match(
        jsonschema.Draft7Validator(schema).iter_errors(document)
    )
    if error is not None:
        where = ".".join(str(step) for step in error.absolute_path) or "at the top"
        raise SuiteError(
            f"{path}: {where}: {error.message}",
            "see the table of keys in aprof-batch's manual",
        )


def _suite(path: Path, document: dict[str, Any], given: Mapping[str, str]) -> Suite:
    variables = dict(document.get("variables", {}))
    for name, value in given.items():
        if name not in variables:
            known = ", ".join(variables) or "none"
            raise SuiteError(f"{path}: the suite has no variable {name}", f"it has {known}")
        variables[name] = value
    shared = document.get("setup", "")
    defaults = {
        key: value
        for key, value in document.items()
        if key not in ("name", "variables", "programs", "setup")
    }
    programs = tuple(
        _program(path, name, defaults, own) for name, own in document["programs"].items()
    )
    name = document.get("name", path.stem)
    return Suite(name, str(path.resolve().parent), shared, variables, programs)


def _program(path: Path, name: str, defaults: dict[str, Any], own: dict[str, Any]) -> Program:
    where = f"{path}: programs.{name}"
    table = {**defaults, **own}
    for key in ("environment", "tool-options"):
        table[key] = _joined(defaults.get(key, {}), own.get(key, {}))
    if "command" not in table:
        raise SuiteError(f"{where} has no command", "say what to run")
    command = _words(f"{where}.command", table["command"])
    takes_threads = _takes_threads(table)
    if len(own.get("threads", [])) > 1 and not takes_threads:
        what = f"{where}: several threads, but {{threads}} is not in its command or environment"
        raise SuiteError(what, "say where the number of threads goes")
    inputs = _inputs(f"{where}.inputs", table.get("inputs", {"default": {}}))
    program = Program(
        name=name,
        command=command,
        inputs=inputs,
        inputs_by_default=tuple(table.get("inputs-by-default", inputs)),
        threads=tuple(table.get("threads", [1])) if takes_threads else (1,),
        takes_threads=takes_threads,
        repetitions=table.get("repetitions", 1),
        tools=tuple(table.get("tools", [APROF])),
        tool_options={tool: tuple(options) for tool, options in table["tool-options"].items()},
        environment=table["environment"],
        timeout=seconds(table["timeout"]) if "timeout" in table else None,
        memory=size_in_bytes(table["memory"]) if "memory" in table else None,
        expected=_statuses(table.get("status", 0)),
        stdin=table.get("stdin", ""),
        folder=table.get("folder", "{work}"),
        setup=own.get("setup", ""),
        prepare=table.get("prepare", ""),
        server=_server(where, table),
        packages=tuple(table.get("packages", [])),
        needs=tuple(table.get("needs", _own_program(command))),
        profiles=tuple(table.get("profiles", [])),
    )
    _check_inputs(where, program)
    return program


def _joined(defaults: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """A program's own variables replace the suite's, its own options of a tool follow them."""
    lists = {k: [*defaults[k], *v] for k, v in own.items() if k in defaults and isinstance(v, list)}
    return {**defaults, **own, **lists}


def _words(where: str, command: str | list[str]) -> tuple[str, ...]:
    if isinstance(command, list):
        return tuple(command)
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise SuiteError(f"{where}: {error}", "quote it as for a shell, or give a list") from error
    if not words:
        raise SuiteError(f"{where} is empty", "say what to run")
    return words


def _inputs(where: str, inputs: Any) -> dict[str, dict[str, tuple[str, ...]]]:
    if isinstance(inputs, list):
        inputs = {str(value): value for value in inputs}
        for name in inputs:
            if not _NAME.fullmatch(name):
                what = f"{where}: '{name}' cannot be the name of a folder"
                raise SuiteError(what, f"give the inputs names: inputs = {{small = '{name}', ...}}")
    return {
        name: {
            key: tuple(words) if isinstance(words, list) else (str(words),)
            for key, words in (value if isinstance(value, dict) else {"input": value}).items()
        }
        for name, value in inputs.items()
    }


def _check_inputs(where: str, program: Program) -> None:
    unknown = set(program.inputs_by_default) - set(program.inputs)
    if unknown:
        what = f"{where}: inputs-by-default has {', '.join(sorted(unknown))}"
        raise SuiteError(what, f"its inputs are {', '.join(program.inputs)}")


def _server(where: str, table: Mapping[str, Any]) -> Server | None:
    if not any(key in table for key in _SERVER):
        return None
    if "client" not in table:
        raise SuiteError(
            f"{where} has 'ready' or 'stop', but no client", "say what uses the server"
        )
    return Server(*(table.get(key, "") for key in _SERVER))


def _own_program(command: tuple[str, ...]) -> list[str]:
    """What must be found for the command to run, where its first word says so."""
    return [] if placeholders(command[0]) else [command[0]]


def _statuses(status: int | list[int]) -> tuple[int, ...]:
    return tuple(status) if isinstance(status, list) else (status,)


def _takes_threads(table: Mapping[str, Any]) -> bool:
    """Whether the number of threads goes anywhere: into the command, an environment variable..."""
    texts = {key: value for key, value in table.items() if key != "threads"}
    return "threads" in placeholders(json.dumps(texts))


def seconds(time: float | str) -> float:
    """A time as suites and options give it: 90, "90s", "10m", "2h", "1d"."""
    return float(time[:-1]) * _SECONDS[time[-1]] if isinstance(time, str) else float(time)


def size_in_bytes(memory: int | str) -> int:
    """A size as suites and options give it: 1000000, "512M", "4G"."""
    if isinstance(memory, str):
        return int(float(memory[:-1]) * _BYTES[memory[-1]])
    return memory
