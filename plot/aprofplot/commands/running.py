"""What every command does alike: finding and reading profiles, and ending with a message."""

from __future__ import annotations

import argparse
import codecs
import contextlib
import gc
import glob
import os
import sys
from collections.abc import Callable, Iterator, Sequence

from aprofplot import __version__
from aprofplot.errors import AprofError, SelectionError, UsageError
from aprofplot.metrics import PARALLELISM, SPAN, WORK, has_parallelism
from aprofplot.model import Profile, Run
from aprofplot.names import printable
from aprofplot.profile_sum import ProfileSum
from aprofplot.read.profile_file import APROF, Format
from aprofplot.read.profile_reader import read_merged, read_profile
from aprofplot.reports.aligned import NARROWEST

# What lies beside profiles: unfinished ones, and what was made of them.
_NO_PROFILES = (
    ".part",
    ".png",
    ".svg",
    ".pdf",
    ".json",
    ".csv",
    ".txt",
    ".html",
    ".folded",
    "~",
)

_MANY = 50_000  # routines, threads apart

_EVENTS = ("bb", "instr", WORK, SPAN, PARALLELISM)

EXIT_STATUS = "exit status: 0 done, 1 bad profile or nothing to show, 2 bad command line"


def command_parser(
    command: str,
    description: str,
    epilog: str,
    kind: type[argparse.ArgumentParser] = argparse.ArgumentParser,
) -> argparse.ArgumentParser:
    """A command line with --help, which ends with `epilog` as it is, and --version."""
    result = kind(
        prog=command,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    version = f"%(prog)s (aprof-trms) {__version__}"
    result.add_argument("--version", action="version", version=version)
    return result


def count(text: str) -> int:
    """The value of an option: a number from 0 on. ArgumentTypeError."""
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 0 on")
    return int(text)


def table_width(text: str) -> int:
    """The value of --width. ArgumentTypeError."""
    if count(text) < NARROWEST:
        raise argparse.ArgumentTypeError(f"'{text}' is too narrow: {NARROWEST} or more")
    return count(text)


def newest_profile(kind: Format = APROF) -> str:
    """The newest aprof.out.*, or what `kind`'s tool writes, of the current folder. AprofError if
    there is none."""
    pattern = kind.usual_name.replace("PID", "*")
    found = [
        path
        for path in glob.glob(pattern)
        if os.path.isfile(path) and not path.endswith(_NO_PROFILES)
    ]
    if not found:
        raise AprofError(
            f"no profile given, and no {pattern} in the current folder",
            f"make one with valgrind --tool={kind.tool} PROGRAM",
        )
    return max(found, key=lambda path: (os.path.getmtime(path), path))


def profile_paths(command: str, given: Sequence[str], kind: Format = APROF) -> list[str]:
    """The profiles given or else the newest, which `command` says on standard error."""
    if given:
        return list(given)
    newest = newest_profile(kind)
    print(f"{command}: reading {newest}", file=sys.stderr)
    return [newest]


def load_profiles(
    paths: Sequence[str],
    per_thread: bool,
    calls_per_thread: bool = False,
    compared: bool = False,
    each: Callable[[Profile], None] | None = None,
) -> Profile:
    """The profiles as one; threads merged unless `per_thread`, those of call edges unless
    `calls_per_thread`, too, and routines that are the same. Says what counts twice, unless the
    profiles are `compared`. Memory: that of the result and a few profiles. `each` is called with
    each of them in turn, its threads apart. ProfileError as read_profile."""
    profiles = ProfileSum(per_thread)
    with _collector_paused():
        for path in paths:
            apart = per_thread or each is not None
            one = read_profile(path, calls_per_thread) if apart else read_merged(path)
            if each is not None:
                each(one)
            profiles.add(one)
        profile = profiles.profile()
        if len(profile.routines) >= _MANY or each is not None:
            gc.freeze()  # they stay to the end: not to be gone through any more
    if not compared:
        _say_what_counts_twice(profile.runs)
    return profile


def check_routines(profile: Profile) -> None:
    """AprofError if there are none."""
    if not profile.routines:
        names = ", ".join(dict.fromkeys(run.path for run in profile.runs))
        todo = "profile again: collecting was off (--collect-from, --toggle-collect, a request)"
        raise AprofError(f"no routine was recorded in {names}", todo)


def chosen_event(asked: str | None, profile: Profile) -> str:
    """The cost event of --cost, else the first measured. AprofError if it was not."""
    if asked == PARALLELISM:
        todo = "choose work or span, or use aprof-plot --cost=parallelism"
        raise UsageError("--cost=parallelism: a ratio, which does not add up", todo)
    return plotted_event(asked, profile)


def plotted_event(asked: str | None, profile: Profile) -> str:
    """As chosen_event; PARALLELISM, too, where work and span were measured."""
    event = asked or profile.event_names[0]
    measured = event in profile.event_names
    if measured or event == PARALLELISM and has_parallelism(profile.event_names):
        return event
    if event not in _EVENTS:
        raise UsageError(f"--cost={event}: no such cost", f"choose {', '.join(_EVENTS)}")
    option = "--work-span=yes" if event in (WORK, SPAN, PARALLELISM) else "--cost=both"
    runs = profile.runs
    where = f"{runs[0].path}, which has" if len(runs) == 1 else "every profile; all have"
    raise AprofError(
        f"cost {event} is not in {where} {', '.join(profile.event_names)}",
        f"profile again with {option}",
    )


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Python's search for cycles would go through a million new objects, which have none, again and
    again: more than half of the time that reading and merging them takes."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _say_what_counts_twice(runs: Sequence[Run]) -> None:
    """A profile holds all that earlier dumps of its process do."""
    of_process: dict[tuple[int, str], list[Run]] = {}
    for run in runs:
        of_process.setdefault((run.pid, run.command), []).append(run)
    for (pid, _), several in of_process.items():
        paths = [run.path for run in several]
        again = [path for path in dict.fromkeys(paths) if paths.count(path) > 1]
        if again:
            print(
                printable(f"note: {again[0]} is given twice, and counts twice"),
                file=sys.stderr,
            )
        elif len(several) > 1 and any(run.reason.split(" ")[0] == "dump" for run in several):
            note = f"note: {', '.join(paths)} are of one process ({pid}): what was measured before"
            print(
                printable(f"{note} a dump counts twice, unless zeroed after it"),
                file=sys.stderr,
            )


def run_command(command: str, body: Callable[[], int], failure: int = 1, misuse: int = 2) -> int:
    """The exit status of `body`; `failure`, with one line on standard error, for what a user can
    mend; `misuse` if that is the command line."""
    _allow_any_bytes()
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
        print(f"{command}: {what}; redirect it to another place", file=sys.stderr)
        return failure
    except KeyboardInterrupt:
        print(f"{command}: interrupted", file=sys.stderr)
        return 130


def put_out(text: str) -> None:
    """Prints `text`, which ends its last line itself. For commands whose exit status is a verdict:
    it stays the same when nobody reads on."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # `| head`
        _drop_output()


def _drop_output() -> None:
    """Lets what is still buffered for standard output vanish, so that exiting is no error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _encode(error: UnicodeError) -> tuple[str | bytes, int]:
    """As it was where a byte was read, else an escape."""
    try:
        return codecs.lookup_error("surrogateescape")(error)
    except UnicodeError:
        return codecs.lookup_error("backslashreplace")(error)


def _allow_any_bytes() -> None:
    """Names in profiles may hold bytes that are no UTF-8: print them as they are. Characters that
    the terminal's encoding does not have are escaped."""
    codecs.register_error("aprof", _encode)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="aprof")
