"""What every command does alike: finding and reading profiles, and ending with a message."""

from __future__ import annotations

import codecs
import glob
import os
import sys
from collections.abc import Callable, Sequence

from aprofplot.errors import AprofError, SelectionError
from aprofplot.merge import join_profiles, merge_threads, merge_within_threads
from aprofplot.model import Profile, Run
from aprofplot.names import printable
from aprofplot.read.profile_reader import read_profile

# What lies beside profiles: unfinished ones, and what was made of them.
_NO_PROFILES = (".part", ".png", ".svg", ".pdf", ".json", ".csv", ".txt", ".html", "~")

EXIT_STATUS = "exit status: 0 done, 1 bad profile or nothing to show, 2 bad command line"


def newest_profile() -> str:
    """The newest aprof.out.* of the current folder. AprofError if there is none."""
    found = [
        path
        for path in glob.glob("aprof.out.*")
        if os.path.isfile(path) and not path.endswith(_NO_PROFILES)
    ]
    if not found:
        raise AprofError(
            "no profile given, and no aprof.out.* in the current folder",
            "make one with valgrind --tool=aprof-trms PROGRAM",
        )
    return max(found, key=lambda path: (os.path.getmtime(path), path))


def profile_paths(command: str, given: Sequence[str]) -> list[str]:
    """The profiles given or else the newest, which `command` says on standard error."""
    if given:
        return list(given)
    newest = newest_profile()
    print(f"{command}: reading {newest}", file=sys.stderr)
    return [newest]


def load_profiles(paths: Sequence[str], per_thread: bool) -> Profile:
    """The profiles as one; threads merged unless `per_thread`, and routines that are the same.
    ProfileError as read_profile."""
    joined = join_profiles([read_profile(path) for path in paths])
    _say_what_counts_twice(joined.runs)
    return merge_within_threads(joined) if per_thread else merge_threads(joined)


def _say_what_counts_twice(runs: Sequence[Run]) -> None:
    """A profile holds all that earlier dumps of its process do."""
    of_process: dict[tuple[int, str], list[Run]] = {}
    for run in runs:
        of_process.setdefault((run.pid, run.command), []).append(run)
    for (pid, _), several in of_process.items():
        paths = [run.path for run in several]
        again = [path for path in dict.fromkeys(paths) if paths.count(path) > 1]
        if again:
            print(printable(f"note: {again[0]} is given twice, and counts twice"), file=sys.stderr)
        elif len(several) > 1 and any(run.reason.split(" ")[0] == "dump" for run in several):
            note = f"note: {', '.join(paths)} are of one process ({pid}): what was measured before"
            print(printable(f"{note} a dump counts twice, unless zeroed after it"), file=sys.stderr)


def run_command(command: str, body: Callable[[], int]) -> int:
    """The exit status of `body`, with one line on standard error for what a user can mend."""
    if sys.stdout is None:  # as Python does when it is closed
        print(f"{command}: standard output is closed; redirect it to a file", file=sys.stderr)
        return 1
    try:
        status = body()
        sys.stdout.flush()
        return status
    except SelectionError as error:
        for line in (f"{command}: {error}", *(f"  {c}" for c in error.candidates)):
            print(printable(line), file=sys.stderr)
        return 1
    except AprofError as error:
        print(printable(f"{command}: {error}"), file=sys.stderr)
        return 1
    except BrokenPipeError:  # `| head`: nobody reads any more
        _drop_output()
        return 0
    except OSError as error:  # files have a name, standard output has none
        _drop_output()
        where = error.filename or "standard output"
        what = f"{where} cannot be written or read: {error.strerror or error}"
        print(f"{command}: {what}; redirect it to another place", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{command}: interrupted", file=sys.stderr)
        return 130


def _drop_output() -> None:
    """Lets what is still buffered for standard output vanish, so that exiting is no error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _encode(error: UnicodeError) -> tuple[str | bytes, int]:
    """As it was where a byte was read, else an escape."""
    try:
        return codecs.lookup_error("surrogateescape")(error)
    except UnicodeError:
        return codecs.lookup_error("backslashreplace")(error)


def allow_any_bytes() -> None:
    """Names in profiles may hold bytes that are no UTF-8: print them as they are. Characters that
    the terminal's encoding does not have are escaped."""
    codecs.register_error("aprof", _encode)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="aprof")
