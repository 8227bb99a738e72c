"""aprof-check: checks profiles against a budget."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aprofplot.commands.command_line import BAD_INPUT, GateParser, command_parser, percentage
from aprofplot.commands.loading import load_profiles
from aprofplot.commands.output import whole_file
from aprofplot.commands.running import put_out, run_command
from aprofplot.errors import AprofError
from aprofplot.names import printable

if TYPE_CHECKING:
    from aprofplot.compare.verdict import Status, Verdict

VIOLATED, CANNOT_TELL = 1, 2  # exit statuses

_EXAMPLES = """\
budget, one limit per line:
  # comment
  sort_records <= n log n
  std::map<int, int>::operator[] <= log n
  Parser::* rms <= n                      all routines that match; by RMS
  libc.so.6:qsort instr <= n^1.5          cost in instructions
  sort_records cost at size 1000 <= 2e6
  main parallelism >= 8
  store.cpp:12 <= n                       a loop; also Store::exists/loop (all loops), main/loop:12
  store.cpp:12 iterations <= n            by the number of its iterations
  fib argument n <= 2^n                   by the value of an argument
  store.cpp:22 progress <= 1              the cost of its k-th iteration does not grow with k

examples:
  aprof-check --budget app.budget aprof.out.4711
  aprof-check --budget app.budget --junit check.xml aprof.out.*
  aprof-check --budget app.budget --update aprof.out.4711     from a good run

exit status: 0 all limits hold, 1 some are violated, 2 none is violated, but some
cannot be decided, 3 bad budget, profile or command line
"""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = command_parser(
        "aprof-check",
        "Checks aprof-trms profiles against a budget: how fast a routine's cost may grow, and how "
        "high it may be. Several profiles are merged. If near-ties of a fit or the scatter of points "
        "leave a question open, the limit holds, so that repeated runs agree.",
        _EXAMPLES,
        GateParser,
    )
    add = result.add_argument
    add(
        "profiles",
        nargs="+",
        metavar="PROFILE",
        help="aprof.out.PID; several are merged",
    )
    add("--budget", required=True, metavar="FILE", help="the limits, one per line")
    add("--junit", metavar="FILE", help="also write the verdicts as JUnit XML")
    add("-q", "--quiet", action="store_true", help="print only limits that do not hold")
    add(
        "--tolerance",
        type=percentage,
        default=5.0,
        metavar="PERCENT",
        help="how far above a limit still holds [5%%]",
    )
    add(
        "--update",
        action="store_true",
        help="write the budget instead: raise violated limits (lower those of parallelism), add lines "
        "for routines without one, keep everything else",
    )
    add(
        "--min-share",
        type=percentage,
        default=1.0,
        metavar="PERCENT",
        help="with --update: routines with at least this share of the cost [1%%]",
    )
    return result


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status."""
    command_line = parser()
    arguments = command_line.parse_args(argv)
    if arguments.update and arguments.junit is not None:
        command_line.error("--update checks nothing: leave --junit out")
    body = _update if arguments.update else _check
    return run_command("aprof-check", lambda: body(arguments), failure=BAD_INPUT, misuse=BAD_INPUT)


def _check(arguments: argparse.Namespace) -> int:
    from aprofplot.compare.budget import read_budget
    from aprofplot.compare.verdict import judge
    from aprofplot.reports.junit import junit_text

    budget = read_budget(arguments.budget)
    if not budget.lines:
        raise AprofError(f"{budget.path}: it has no limits", "write some, or use --update")
    profile = load_profiles(arguments.profiles, per_thread=False)
    verdicts = [judge(profile, line, arguments.tolerance / 100) for line in budget.lines]
    shown = [v for v in verdicts if v.status != "ok" or not arguments.quiet]
    lines = [_line(budget.path, verdict) for verdict in shown] + [_summary(verdicts)]
    if arguments.junit is not None:
        with whole_file(arguments.junit, [budget.path, *arguments.profiles]) as file:
            file.write(junit_text(budget.path, verdicts))
    put_out("".join(f"{printable(line)}\n" for line in lines))
    found = {verdict.status for verdict in verdicts}
    return VIOLATED if "violated" in found else CANNOT_TELL if "cannot tell" in found else 0


def _line(path: str, verdict: Verdict) -> str:
    status = "VIOLATED" if verdict.status == "violated" else verdict.status
    return f"{path}:{verdict.line.number}: {status}: {verdict.line.text}: {verdict.message}"


def _summary(verdicts: Sequence[Verdict]) -> str:
    kinds: tuple[Status, ...] = ("ok", "violated", "cannot tell")
    counts = [(sum(v.status == kind for v in verdicts), kind) for kind in kinds]
    return ", ".join(f"{count} {kind}" for count, kind in counts if count)


def _update(arguments: argparse.Namespace) -> int:
    from aprofplot.compare.budget import Budget, read_budget
    from aprofplot.compare.new_budget import update

    path = arguments.budget
    budget = read_budget(path) if os.path.exists(path) else Budget(path, (), ())
    profile = load_profiles(arguments.profiles, per_thread=False)
    new = update(budget, profile, arguments.tolerance / 100, arguments.min_share)
    if not budget.lines and not new.added:
        raise AprofError(
            "no routine's growth can be told from these profiles",
            "profile a run with inputs of at least five sizes",
        )
    with whole_file(path, arguments.profiles) as file:
        file.write(new.text)
    for finding in new.findings:
        note = f"aprof-check: note: the new limits allow what is a finding: {finding}"
        print(printable(note), file=sys.stderr)
    changed = [f"{len(new.raised)} raised{_which(new.raised)}"]
    if new.lowered:
        changed.append(f"{len(new.lowered)} lowered{_which(new.lowered)}")
    done = f"{path}: {new.kept} kept, {', '.join(changed)}, {new.added} added"
    put_out(f"{printable(done)}\n")
    return 0


def _which(lines: Sequence[int]) -> str:
    named = f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"
    return f" ({named})" if lines else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
