"""What every command does alike: finding and reading profiles, and ending with a message."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Callable, Sequence

from aprofplot.errors import AprofError, SelectionError
from aprofplot.merge import join_profiles, merge_threads
from aprofplot.model import Profile
from aprofplot.profile_reader import read_profile

EXIT_STATUS = "exit status: 0 done, 1 bad profile or nothing to show, 2 bad command line"


def newest_profile() -> str:
    """The newest aprof.out.* of the current folder. AprofError if there is none."""
    found = [path for path in glob.glob("aprof.out.*") if not path.endswith(".part")]
    if not found:
        raise AprofError(
            "no profile given, and no aprof.out.* in the current folder",
            "make one with valgrind --tool=aprof-trms PROGRAM",
        )
    return max(found, key=lambda path: (os.path.getmtime(path), path))


def load_profiles(paths: Sequence[str], per_thread: bool) -> Profile:
    """The profiles as one; threads merged unless `per_thread`. ProfileError as read_profile."""
    joined = join_profiles([read_profile(path) for path in paths])
    return joined if per_thread else merge_threads(joined)


def run_command(command: str, body: Callable[[], int]) -> int:
    """The exit status of `body`, with one line on standard error for what a user can mend."""
    try:
        status = body()
        sys.stdout.flush()
        return status
    except SelectionError as error:
        print(f"{command}: {error}", *error.candidates, sep="\n  ", file=sys.stderr)
        return 1
    except AprofError as error:
        print(f"{command}: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # `| head`: nobody reads any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print(f"{command}: interrupted", file=sys.stderr)
        return 130


def allow_any_bytes() -> None:
    """Names in profiles may hold bytes that are no UTF-8: print them as they are."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="surrogateescape")
