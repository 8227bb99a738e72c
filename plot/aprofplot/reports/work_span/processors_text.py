"""cilkshadow-report --processors for people: time and speedup on each number of processors, the
findings, and idleness by call path, top-down, flat and bottom-up."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from aprofplot.loop_scopes import loop_place
from aprofplot.names import NAME_WIDTH, base_name, printable, shorten
from aprofplot.processors.adviser import Advice
from aprofplot.processors.charges import LEAST, Charge, Costs, RoutineCharge
from aprofplot.processors.blame import Finding
from aprofplot.processors.quadrants import HIGH, quadrant
from aprofplot.reports.aligned import aligned
from aprofplot.work_span.advice import lock_name
from aprofplot.work_span.model import OVERHEAD_KINDS, CallPath, CallSite, Lock
from aprofplot.work_span.names import short_name

_LINE = 100  # characters of sentences
_CALLERS = 3  # of a routine, shown


def processors_lines(
    costs: Sequence[Costs], findings: Sequence[Finding], locks: Sequence[Lock], top: int | None
) -> Iterator[str]:
    """For each number of processors a line; the rest is of the last one. At most `top` rows a table."""
    yield f"on P processors, by {_scheduler(costs)}; shares are of total effort, P times the time"
    yield from aligned(["P", "time", "speedup", *_HEADS], [_total(of) for of in costs])
    last = costs[-1]
    yield from _redivided(costs)
    yield ""
    yield from finding_lines(last, findings)
    yield ""
    yield f"top-down, inclusive, on {last.processors} processors"
    yield from _top_down(last, top)
    yield ""
    yield f"routines, exclusive, the most idle first, with their callers, on {last.processors} processors"
    yield from _bottom_up(last, top)
    yield from _by_kind(last, top)
    yield from _locks(last, locks)


def _redivided(costs: Sequence[Costs]) -> Iterator[str]:
    """Which loops the P threads divide, and which those of the run."""
    paths = costs[0].dag.paths
    anew = _once(_path_name(paths[path]) for of in costs for path in sorted(of.divided.anew))
    if anew:
        text = (
            f"OpenMP loops with a static schedule are divided evenly among P threads: {_few(anew)}"
        )
        yield from textwrap.wrap(text, _LINE)
    guided = _once(_path_name(paths[path]) for of in costs for path in sorted(of.divided.guided))
    if guided:
        text = f"OpenMP loops with a guided schedule have the chunks of P threads: {_few(guided)}"
        yield from textwrap.wrap(text, _LINE)
    kept = {path: threads for of in costs for path, threads in of.divided.kept.items()}
    loops = _once(
        printable(loop_place(loop)) for path in sorted(kept) if (loop := paths[path].loop)
    )
    if loops:
        are = "1 loop was" if len(loops) == 1 else f"{len(loops)} loops were"
        it = ("stays so", "it") if len(loops) == 1 else ("stay so", "one")
        text = (
            f"{are} divided among the run's {max(kept.values())} threads and {it[0]}: {_few(loops)}. "
            f"--what-if='loop {loops[0]} static' divides {it[1]} among P."
        )
        yield from textwrap.wrap(text, _LINE, break_on_hyphens=False)


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _few(names: Sequence[str]) -> str:
    more = f", and {len(names) - _CALLERS} more" if len(names) > _CALLERS else ""
    return f"{', '.join(names[:_CALLERS])}{more}"


def finding_lines(costs: Costs, findings: Sequence[Finding]) -> Iterator[str]:
    """What to mend first, with what it gains."""
    if not findings:
        yield from textwrap.wrap(no_finding(costs), _LINE)
    for rank, finding in enumerate(findings, 1):
        yield from textwrap.wrap(f"{rank}. {finding.text}", _LINE, subsequent_indent="   ")


def summary_lines(costs: Costs, findings: Sequence[Finding]) -> Iterator[str]:
    """The same for a report of something else."""
    text = f"{speed(costs)} (--processors={costs.processors} shows more)."
    yield from textwrap.wrap(f"{text} What holds it back:" if findings else text, _LINE)
    yield from finding_lines(costs, findings)


def speed(costs: Costs) -> str:
    """In words, without a full stop."""
    return (
        f"On {costs.processors} processors it would run {costs.speedup:.1f} times as fast as on one, by "
        f"{_scheduler([costs])}"
    )


def no_finding(costs: Costs) -> str:
    """What can be said instead."""
    if costs.total.idleness >= HIGH * costs.total.effort:
        return (
            f"No code in particular keeps processors idle: the program has work for {costs.speedup:.1f} of "
            f"{costs.processors}. More threads, or smaller pieces, would have more."
        )
    return f"Nothing keeps {costs.processors} processors idle or busy with overhead for long."


def what_if_lines(
    now: Sequence[Costs], then: Sequence[Costs], changes: Sequence[str]
) -> Iterator[str]:
    """For each number of processors, what is and what would be."""
    yield f"if {', and '.join(changes)}: on P processors, by {_scheduler(now)}"
    rows = [
        [
            f"{before.processors:,}",
            f"{before.time:,}",
            f"{after.time:,}",
            f"{before.time / after.time if after.time else 1:.2f}",
        ]
        for before, after in zip(now, then)
    ]
    yield from aligned(["P", "time now", "time then", "times as fast"], rows)


def advice_lines(costs: Costs, advised: Sequence[Advice]) -> Iterator[str]:
    """The changes that pay, as --what-if has them."""
    yield f"changes that pay on {costs.processors} processors, by {_scheduler([costs])}, each alone"
    if not advised:
        yield "none of those tried: see the findings, without --advise"
        return
    rows = [[f"{of.gain:.2f}", of.change] for of in advised]
    yield from aligned(["times as fast", "--what-if"], rows)


_SCHEDULERS = {
    "greedy": "a greedy scheduler",
    "work-stealing": "work stealing",
    "central-queue": "a central queue",
    "threads": "the program's own threads",
}


def _scheduler(costs: Sequence[Costs]) -> str:
    return _SCHEDULERS[costs[0].schedule.scheduler]


_HEADS = ("work", "idleness", "of locks", "overhead", "of scheduler")


def _shares(charge: Charge, effort: int) -> list[str]:
    parts = (
        charge.work,
        charge.idleness,
        charge.lock_waits,
        charge.overhead,
        charge.scheduling,
    )
    return [f"{100 * part / effort if effort else 0:.1f} %" for part in parts]


def _total(costs: Costs) -> list[str]:
    head = [f"{costs.processors:,}", f"{costs.time:,}", f"{costs.speedup:.2f}"]
    return [*head, *_shares(costs.total, costs.total.effort)]


def _path_name(path: CallPath) -> str:
    """Of the call, inlined function or loop that it ends in."""
    if path.inlined is not None:
        return f"{short_name(path.inlined.name)}{_where(path.inlined.file, path.inlined.line)}, inlined"
    if path.loop is None:
        return "(unknown)" if path.site is None else _name(path.site)
    loop = path.loop
    name = short_name(loop.function or loop.routine.name)
    return f"loop of {name}{_where(loop.file, loop.line)}"


def _name(site: CallSite) -> str:
    return short_name(site.callee.name) + _where(site.file, site.line)


def _where(file: str, line: int) -> str:
    return f" ({printable(file.rpartition('/')[2])}:{line})" if line else ""


def _top_down(costs: Costs, top: int | None) -> Iterator[str]:
    effort = costs.total.effort
    rows: list[list[str]] = []
    left = [(0, 0)]  # with their depths, the next one last
    while left:
        path, depth = left.pop()
        charge = costs.inclusive[path]
        if charge.effort < LEAST * effort:
            continue
        name = "(all)" if not path else _path_name(costs.dag.paths[path])
        rows.append([*_shares(charge, effort), "  " * depth + name, quadrant(charge)])
        by_effort = sorted(costs.callees[path], key=lambda p: -costs.inclusive[p].effort)
        left += [(callee, depth + 1) for callee in reversed(by_effort)]
    yield from aligned([*_HEADS, "call path", "so"], rows[:top], (-2, -1))


def _bottom_up(costs: Costs, top: int | None) -> Iterator[str]:
    effort = costs.total.effort
    rows: list[list[str]] = []
    for of in costs.routines()[:top]:
        rows.append([*_shares(of.charge, effort), shorten(of.name, NAME_WIDTH)])
        by_callers = sorted(_by_callers(costs, of).items(), key=lambda found: -found[1].effort)
        rows += [
            [*_shares(charge, effort), f"  < {shorten(callers, NAME_WIDTH)}"]
            for callers, charge in by_callers[:_CALLERS]
            if charge.effort >= LEAST * of.charge.effort
        ]
    yield from aligned([*_HEADS, "routine"], rows)


def _by_callers(costs: Costs, of: RoutineCharge) -> dict[str, Charge]:
    """Of paths with the same callers, as those to several loops of the routine, one sum."""
    found: dict[str, Charge] = {}
    for path in of.paths:
        frames = costs.frames(path)
        callers = " < ".join(base_name(printable(f.callee.name)) for f in frames[-2::-1])
        if callers:
            found[callers] = found.get(callers, Charge()) + costs.exclusive[path]
    return found


def _by_kind(costs: Costs, top: int | None) -> Iterator[str]:
    """Of all, and of the paths with most; of the kinds that there are."""
    total = costs.total
    kinds = [kind for kind, amount in enumerate(total.overheads) if amount]
    if not kinds or total.overhead < LEAST * total.effort:
        return

    def row(charge: Charge, name: str) -> list[str]:
        shares = (100 * charge.overheads[kind] / total.effort for kind in kinds)
        return [*(f"{share:.1f} %" for share in shares), name]

    least = LEAST * total.effort
    paths = [path for path, of in enumerate(costs.exclusive) if of.overhead >= least]
    paths.sort(key=lambda path: -costs.exclusive[path].overhead)
    rows = [
        row(costs.exclusive[p], _path_name(costs.dag.paths[p]) if p else "(none)") for p in paths
    ]
    yield ""
    yield f"overhead by kind, and the calls that cause most, on {costs.processors} processors"
    heads = [*(OVERHEAD_KINDS[kind] for kind in kinds), "call"]
    yield from aligned(heads, [row(total, "(all)"), *rows[:top]])


def _locks(costs: Costs, locks: Sequence[Lock]) -> Iterator[str]:
    waits = sorted(costs.schedule.waits_of.items(), key=lambda of: -of[1])
    effort = costs.total.effort
    rows = [
        [f"{100 * amount / effort:.1f} %", lock_name(locks[number - 1])]
        for number, amount in waits
        if number <= len(locks) and amount >= LEAST * effort
    ]
    if rows:
        yield ""
        yield from aligned(["idleness", "lock that is waited for"], rows)
