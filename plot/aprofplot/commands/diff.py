"""aprof-diff: what changed between the profiles of two builds."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aprofplot.commands.command_line import BAD_INPUT, GateParser, command_parser, percentage
from aprofplot.commands.cost_event import chosen_event
from aprofplot.commands.loading import load_profiles
from aprofplot.commands.output import whole_file
from aprofplot.commands.running import put_out, put_path, run_command
from aprofplot.compare.renames import given_renames, pairs_of
from aprofplot.model import Profile, RoutineProfile
from aprofplot.names import printable

if TYPE_CHECKING:
    from aprofplot.compare.changes import Comparison

REGRESSION, CANNOT_TELL = 1, 2  # exit statuses

_EXAMPLES = """\
examples:
  aprof-diff old.aprof new.aprof               what changed, the most important first
  aprof-diff --old a.1 a.2 --new b.1 b.2       several runs of each side, merged
  aprof-diff --map 'parse_old=parse' old new   a renamed routine
  aprof-diff --map 'v1::*=v2::*' old new       a renamed namespace
  aprof-diff --format=html -o diff.html old new
  aprof-diff --fail-on=growth old new          exit status 1 only if growth got worse

exit status: 0 no regression, 1 regression (see --fail-on), 2 cannot tell: no routine is in both,
3 bad profile or command line
"""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = command_parser(
        "aprof-diff",
        "Compares aprof-trms profiles of two builds, routine by routine: growth of the cost, cost "
        "at equal input size, calls, new and vanished routines. It reports a change of growth only "
        "if both fits are confident.",
        _EXAMPLES,
        GateParser,
    )
    add = result.add_argument
    add("profiles", nargs="*", metavar="OLD NEW", help="a profile of each build")
    add(
        "--old",
        nargs="+",
        default=[],
        metavar="PROFILE",
        help="several profiles, merged, instead of OLD",
    )
    add(
        "--new",
        nargs="+",
        default=[],
        metavar="PROFILE",
        help="several profiles, merged, instead of NEW",
    )
    add(
        "--map",
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="match a renamed routine; with a * on both sides, many routines",
    )
    add(
        "--map-file",
        action="append",
        default=[],
        metavar="FILE",
        help="a file of lines OLD=NEW",
    )
    add(
        "--threshold",
        type=percentage,
        default=5.0,
        metavar="PERCENT",
        help="ignore smaller changes of a cost [5%%]",
    )
    add(
        "--min-share",
        type=percentage,
        default=1.0,
        metavar="PERCENT",
        help="leave out routines with a smaller share of the cost on both sides [1%%]",
    )
    add(
        "--metric",
        choices=("trms", "rms"),
        help="input size [trms if both sides have it]",
    )
    add(
        "--cost",
        metavar="EVENT",
        help="bb, instr, or with --work-span=yes work or span [the first that both sides measured]",
    )
    add(
        "--y",
        choices=("mean", "max", "min"),
        default="mean",
        help="the cost to compare at each size [mean]",
    )
    add(
        "--fail-on",
        choices=("any", "growth", "cost", "none"),
        default="any",
        help="which regressions make the exit status 1: growth got worse, cost at equal size is "
        "higher, both, none [any]",
    )
    add("--all", action="store_true", help="also list unchanged routines")
    add("--format", choices=("text", "json", "html"), default="text", help="[text]")
    add(
        "-o",
        dest="output",
        metavar="FILE",
        help="write FILE, - for standard output [-]",
    )
    return result


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status."""
    command_line = parser()
    arguments = command_line.parse_intermixed_args(argv)
    sides = _sides(command_line, arguments)
    return run_command(
        "aprof-diff", lambda: _diff(arguments, *sides), failure=BAD_INPUT, misuse=BAD_INPUT
    )


def _sides(
    command_line: argparse.ArgumentParser, arguments: argparse.Namespace
) -> tuple[list[str], list[str]]:
    given = list(arguments.profiles)
    old = arguments.old or given[:1]
    new = arguments.new or given[len(given) - 1 :]
    if len(given) != 2 - bool(arguments.old) - bool(arguments.new):
        command_line.error("give OLD and NEW, or --old PROFILE... --new PROFILE...")
    return old, new


def _diff(arguments: argparse.Namespace, old_paths: list[str], new_paths: list[str]) -> int:
    from aprofplot.compare.changes import Criteria, common_quantity, compare

    old, new = load_profiles(old_paths, False), load_profiles(new_paths, False)
    if arguments.cost is not None:
        for side in (old, new):
            chosen_event(arguments.cost, side)
    criteria = Criteria(
        event=common_quantity("cost", old.events, new.events, arguments.cost, "--cost"),
        metric=common_quantity(
            "input size", old.metrics, new.metrics, arguments.metric, "--input-metric"
        ),
        statistic=arguments.y,
        threshold=arguments.threshold / 100,
        least_share=arguments.min_share,
    )
    comparison = compare(old, new, criteria, _renamed(arguments, old, new))
    status = REGRESSION if comparison.regressions(arguments.fail_on) else 0
    if not comparison.matched:
        print(
            "aprof-diff: no routine of OLD is in NEW: --map pairs renamed ones",
            file=sys.stderr,
        )
        status = CANNOT_TELL
    text = _as_text(arguments, comparison)
    if arguments.output in (None, "-"):
        put_out(text)
    else:
        with whole_file(arguments.output, [*old_paths, *new_paths]) as file:
            file.write(text)
        put_path(arguments.output)
    return status


def _renamed(
    arguments: argparse.Namespace, old: Profile, new: Profile
) -> list[tuple[RoutineProfile, RoutineProfile]]:
    """Each routine at most once: the first rename counts."""
    pairs: list[tuple[RoutineProfile, RoutineProfile]] = []
    used: set[int] = set()
    for rename in given_renames(arguments.map, arguments.map_file):
        found = pairs_of(rename, old, new)
        if not found:
            note = f"note: {rename.where}: '{rename.text}' fits no routines of OLD and NEW"
            print(printable(note), file=sys.stderr)
        for pair in found:
            if not used & {id(side) for side in pair}:
                pairs.append(pair)
                used |= {id(side) for side in pair}
    return pairs


def _as_text(arguments: argparse.Namespace, comparison: Comparison) -> str:
    if arguments.format == "json":
        from aprofplot.reports.diff_json import write_diff_json

        out = io.StringIO()
        write_diff_json(out, comparison)
        return out.getvalue()
    if arguments.format == "html":
        from aprofplot.reports.diff_html import diff_page

        return diff_page(comparison)
    from aprofplot.reports.diff_text import diff_lines

    return "".join(f"{printable(line)}\n" for line in diff_lines(comparison, arguments.all))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
