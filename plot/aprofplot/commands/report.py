"""aprof-report: the routines of one or more profiles as a table, JSON or CSV."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from aprofplot.commands.running import (
    EXIT_STATUS,
    allow_any_bytes,
    load_profiles,
    profile_paths,
    run_command,
)
from aprofplot.names import printable
from aprofplot.reports.json_csv import write_csv, write_json
from aprofplot.reports.text import report_lines

_EXAMPLES = f"""\
examples:
  aprof-report aprof.out.4711                  the costliest routines
  aprof-report --top=0 aprof.out.*             all routines, several runs merged
  aprof-report --format=json aprof.out.4711    everything, for other programs
  aprof-report --format=csv --per-thread aprof.out.4711

{EXIT_STATUS}
"""


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise ValueError(text)
    return value


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = argparse.ArgumentParser(
        prog="aprof-report",
        description="Shows the routines of profiles of aprof-trms by cost. Several profiles are "
        "merged: a routine's calls and costs add up, points of one input size become one.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    result.add_argument(
        "profiles",
        nargs="*",
        metavar="PROFILE",
        help="aprof.out.PID [the newest aprof.out.* in the current folder]",
    )
    result.add_argument(
        "--format",
        choices=("text", "json", "csv"),
        default="text",
        help="a table for people; one JSON object; a row for each routine and point [text]",
    )
    result.add_argument("--per-thread", action="store_true", help="keep threads apart")
    result.add_argument(
        "--top",
        type=_count,
        default=50,
        metavar="N",
        help="routines in the table, 0: all [50]; the other formats always have all",
    )
    return result


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status."""
    arguments = parser().parse_intermixed_args(argv)
    allow_any_bytes()

    def body() -> int:
        paths = profile_paths("aprof-report", arguments.profiles)
        profile = load_profiles(paths, arguments.per_thread)
        if arguments.format == "json":
            write_json(sys.stdout, profile, arguments.per_thread)
        elif arguments.format == "csv":
            write_csv(sys.stdout, profile, arguments.per_thread)
        else:
            for line in report_lines(profile, arguments.top or None, arguments.per_thread):
                print(printable(line))
        return 0

    return run_command("aprof-report", body)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
