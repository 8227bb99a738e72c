"""Runs a command: its output, signals and exit status."""

from __future__ import annotations

import codecs
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aprofplot.errors import AprofError, SelectionError, UsageError
from aprofplot.names import printable


def run_command(command: str, body: Callable[[], int], failure: int = 1, misuse: int = 2) -> int:
    """The exit status of `body`; `failure`, with one line on standard error, for what a user can
    mend; `misuse` if that is the command line."""
    _allow_any_character()
    if sys.stdout is None:  # as Python does when it is closed
        print(
            f"{command}: standard output is closed; redirect it to a file",
            file=sys.stderr,
        )
        return failure
    try:
        status = body()
        sys.stdout.flush()
        return status
    except SelectionError as error:
        for line in (f"{command}: {error}", *(f"  {c}" for c in error.candidates)):
            print(printable(line), file=sys.stderr)
        return failure
    except AprofError as error:
        print(printable(f"{command}: {error}"), file=sys.stderr)
        return misuse if isinstance(error, UsageError) else failure
    except BrokenPipeError:  # `| head`: nobody reads any more
        _drop_output()
        return 0
    except OSError as error:  # files have a name, standard output has none
        _drop_output()
        where = error.filename or "standard output"
        what = f"{where} cannot be written or read: {error.strerror or error}"
        print(printable(f"{command}: {what}; redirect it to another place"), file=sys.stderr)
        return failure
    except KeyboardInterrupt:
        print(f"{command}: interrupted", file=sys.stderr)
        return 130


@contextmanager
def signals_interrupt(*signals: signal.Signals) -> Iterator[None]:
    """Within it these raise KeyboardInterrupt, as Ctrl-C usually does, so that the command stops cleanly. In
    other threads than the main one, which cannot have handlers, nothing changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = [(number, signal.signal(number, signal.default_int_handler)) for number in signals]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def put_out(text: str) -> None:
    """Prints `text`, which ends its last line itself. For commands whose exit status is a verdict:
    it stays the same when nobody reads on."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # `| head`
        _drop_output()


def put_path(path: str) -> None:
    """Prints a path: as it is for a script, printable on a terminal."""
    put_out(f"{printable(path) if sys.stdout.isatty() else path}\n")


def _drop_output() -> None:
    """Lets what is still buffered for standard output vanish, so that exiting is no error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _encode(error: UnicodeError) -> tuple[str | bytes, int]:
    """As it was where a byte was read, else an escape."""
    try:
        return codecs.lookup_error("surrogateescape")(error)
    except UnicodeError:
        return codecs.lookup_error("backslashreplace")(error)


def _allow_any_character() -> None:
    """Characters that an encoding does not have are escaped. So are bytes that were no UTF-8, but
    for a script, which is told paths as they are."""
    codecs.register_error("aprof", _encode)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            to_script = stream is sys.stdout and not stream.isatty()
            reconfigure(errors="aprof" if to_script else "backslashreplace")
