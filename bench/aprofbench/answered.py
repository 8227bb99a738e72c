"""bench/answered: the share of a program's cost whose growth a report knows."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from aprofbench import suite_runs
from aprofplot.commands.loading import load_profiles
from aprofplot.fits.fitting import fit_loops, fit_routines, progress_table
from aprofplot.fits.growth import Growth, growth_of
from aprofplot.fits.law import Fit
from aprofplot.loop_scopes import PROGRESS
from aprofplot.metrics import percent
from aprofplot.model import (
    ITERATIONS,
    LoopKey,
    LoopProfile,
    PointTable,
    Profile,
    RoutineKey,
    RoutineProfile,
)
from aprofplot.names import printable, shorten
from aprofplot.reports.aligned import aligned

_ANSWERS = ("input size", "iterations", "calls")
_OPEN = ("one call", "size unknown", "cannot tell")
_NAME = 40  # characters of a command
_DESCRIPTION = """\
Prints, for each profile and in the mean, the share of the self cost in routines and loops with a verdict on
their growth other than "cannot tell" and "size unknown". A routine's self cost excludes its loops. The verdict
is by input size; failing that, for loops, by number of iterations or progress; failing that, that all calls
cost about the same, so that the cost grows with their number."""
_EPILOG = """\
examples:
  bench/compare --inputs small --repetitions 1 --tools aprof-trms -o answered.batch \\
    --programs gzip,xz,sort,sqlite3,python3,cc1,x264
  bench/answered answered.batch/runs/*/*/aprof.out.*

exit status: 0 done, 2 bad profile or command line"""

_Scope = RoutineProfile | LoopProfile


@dataclass(frozen=True)
class ShareAnswered:
    """The self cost of a profile's `program` by what is said of its growth, one of _ANSWERS and _OPEN."""

    program: str
    cost: Mapping[str, int]

    def share(self, *of: str) -> float:
        """Of the self cost, in percent."""
        return percent(sum(self.cost[each] for each in of), sum(self.cost.values()))


def main(argv: list[str]) -> int:
    """Returns the exit status."""
    return suite_runs.command(_answered, argv)


def _answered(argv: list[str]) -> int:
    arguments = _parser().parse_args(argv)
    found = [answers(load_profiles([path], per_thread=False)) for path in arguments.profiles]
    print("\n".join(lines(found)))
    return 0


def answers(profile: Profile) -> ShareAnswered:
    """Of its first event; threads are merged."""
    event = profile.event_names[0]
    own = _own_costs(profile, event)
    routines = [of for of in profile.routines if own[_key(of)] > 0]
    loops = [of for of in profile.loops if own[_key(of)] > 0]
    scopes: list[_Scope] = [*routines, *loops]
    fits = [*fit_routines(routines, event), *fit_loops(loops, event)]
    cost: Counter[str] = Counter()
    for of, by_metric in zip(scopes, fits):
        cost[_answer(of, by_metric, event)] += own[_key(of)]
    return ShareAnswered(profile.runs[0].command, cost)


def _key(of: _Scope) -> RoutineKey | LoopKey:
    return of.routine.key if isinstance(of, RoutineProfile) else of.loop.key


def _own_costs(profile: Profile, event: str) -> Counter[RoutineKey | LoopKey]:
    """The self costs, without those of the loops within."""
    own: Counter[RoutineKey | LoopKey] = Counter()
    for routine in profile.routines:
        own[routine.routine.key] += routine.cost[event].own
    for of in profile.loops:
        within, cost = of.loop.parent, of.cost[event].own
        own[of.loop.key] += cost
        own[of.loop.routine.key if within is None else within.key] -= cost
    return own


def _answer(of: _Scope, fits: Mapping[str, Fit], event: str) -> str:
    growths = list(_growths(of, fits, event))
    for growth, answer in growths:
        if growth.grows_in not in (None, "calls"):
            return answer
    if any(growth.is_told for growth, _ in growths):
        return "calls"
    calls = of.calls if isinstance(of, RoutineProfile) else of.executions
    if calls <= 1:
        return "one call"
    return "size unknown" if growths[0][0].size_unknown else "cannot tell"


def _growths(of: _Scope, fits: Mapping[str, Fit], event: str) -> Iterator[tuple[Growth, str]]:
    """What is known, the input size first, and what it is called here."""
    tables: dict[str, PointTable] = dict(of.points)
    if PROGRESS in fits and isinstance(of, LoopProfile):
        tables[PROGRESS] = progress_table(of, event)
    metric = "trms" if "trms" in tables else "rms"
    for name in (metric, ITERATIONS, PROGRESS):
        if name in tables:
            answer = "input size" if name == metric else "iterations"
            yield growth_of(fits[name], tables[name], event, name), answer


def lines(found: Sequence[ShareAnswered]) -> Iterator[str]:
    """A row for each, the mean below."""
    columns = [(_ANSWERS, "answered %"), *(((each,), each) for each in (*_ANSWERS, *_OPEN))]
    shares = [[of.share(*kinds) for kinds, _ in columns] for of in found]
    names = [shorten(printable(of.program), _NAME) for of in found]
    rows = [[name, *_cells(row)] for name, row in zip(names, shares)]
    rows.append(["mean", *_cells([sum(column) / len(found) for column in zip(*shares)])])
    yield from aligned(["", *(head for _, head in columns)], rows, words=(0,))


def _cells(shares: Sequence[float]) -> list[str]:
    return [f"{share:.1f}" for share in shares]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench/answered",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("profiles", nargs="+", metavar="PROFILE", help="of aprof-trms")
    return parser
