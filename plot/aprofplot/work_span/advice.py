"""A work-span profile in sentences: how far the program scales, what limits it, and the gain
without that. Numbers come from metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from aprofplot.metrics import percent
from aprofplot.model import Loop, Note, Routine
from aprofplot.names import printable
from aprofplot.work_span.holders import Holder, holders
from aprofplot.work_span.metrics import AMPLE, ceiling, overhead_share, ratio
from aprofplot.work_span.model import OVERHEAD_KINDS, CallSite, Lock, WorkSpanProfile
from aprofplot.work_span.names import short_name

_SERIAL = 1.05  # parallelism below which nothing worth mentioning runs in parallel
# Parallelism from which no bottleneck is looked for first: ample for ten processors.
_ENOUGH = 100.0
_DOMINATES, _MATTERS = 50.0, 10.0  # percent of the span
_LARGEST = 5  # parts of the span that are told together
_COARSE = 0.5  # burdened parallelism / parallelism below which the grain is too fine
_LOCKED = 1.1  # serialised span / span from which locks matter
_BUSY = 20.0  # percent of what was executed, by the run-time library
_LIMITS = {  # notes on measurements that are right; predictions may depend on the run's threads
    "logical-threads",
    "ordered-loops",
    "regions-of-one-thread",
    "tbb-threads",
}


@dataclass(frozen=True, eq=False)
class Limit:
    """What limits the parallelism: in "span" what is on the longest path, in "grain" the burden of spawns, in
    "locks" that critical sections follow each other. `at`: what is to blame, None if nothing in particular is.
    `without`: the parallelism without it, at most; None if that has no bound.
    """

    kind: Literal["span", "grain", "locks"]
    sentence: str
    at: CallSite | Loop | Routine | None
    without: float | None


def advice(profile: WorkSpanProfile) -> list[str]:
    """Sentences, the most important first; none of them repeats the totals."""
    if not profile.work:
        return ["Nothing was measured: the program executed none of its own code."]
    said = [_scaling(profile), *(limit.sentence for limit in span_limits(profile))]
    return [sentence for sentence in (*said, _overhead(profile)) if sentence]


def span_limits(profile: WorkSpanProfile) -> list[Limit]:
    """Those that matter, the most important first: of a program with parallelism enough what holds its span
    comes last."""
    found = [_grain(profile), _locks(profile)]
    found.insert(len(found) if _has_enough(profile) else 0, _bottleneck(profile))
    return [limit for limit in found if limit is not None]


def warnings(profile: WorkSpanProfile) -> list[str]:
    """What the tool could not see, and what does not add up."""
    return [*doubts(profile), *limits(profile)]


def doubts(profile: WorkSpanProfile) -> list[str]:
    """Warnings of what may make the numbers wrong."""
    found = [_sentence(note) for note in _doubtful(profile)]
    if profile.reason == "out-of-memory":
        found.append("the tool ran out of memory: the profile ends before the program did")
    for name, whole, part in (
        ("work", profile.work, sum(site.on_work.local.work for site in profile.sites)),
        ("span", profile.span, sum(site.on_span.local.span for site in profile.sites)),
    ):
        if part != whole:
            found.append(f"the call sites have {part:,} of the {name}, which is {whole:,}")
    return found


def limits(profile: WorkSpanProfile) -> list[str]:
    """Warnings of what the numbers do not show."""
    return [_sentence(note) for note in profile.notes if note.kind in _LIMITS]


def why_no_dag(profile: WorkSpanProfile) -> tuple[str, str]:
    """What is wrong with a profile without one, and what to do."""
    if ("dag", "yes") in profile.options:
        return (
            "the dag had too many strands that do not fold, and was not kept",
            "profile a smaller run",
        )
    what = "the profile has no dag, which --processors needs"
    return what, "profile again with valgrind --tool=cilkshadow, without --dag=no"


def _doubtful(profile: WorkSpanProfile) -> list[Note]:
    return [note for note in profile.notes if note.kind not in _LIMITS]


def _sentence(note: Note) -> str:
    return printable(f"{note.count:,} {note.text}")


def parallelism_text(value: float | None) -> str:
    """`5.6`, `1,234`; empty for None."""
    if value is None:
        return ""
    return f"{value:,.1f}" if value < 999.5 else f"{value:,.0f}"


def percent_text(value: float) -> str:
    """`98 %`; with a decimal where a whole number would say too much or nothing."""
    if 99.95 <= value < 100:
        return "nearly all"
    return f"{value:.1f} %" if value < 2 or 99 < value < 100 else f"{value:.0f} %"


def _parallelism(profile: WorkSpanProfile) -> float:
    return ratio(profile.work, profile.span) or 1.0


def _scaling(profile: WorkSpanProfile) -> str:
    parallelism = _parallelism(profile)
    value = parallelism_text(parallelism)
    start = f"The parallelism is {value}: "
    if doubtful := _doubtful(profile):
        puts = "warning puts" if len(doubtful) == 1 else "warnings put"
        start = f"The measured parallelism is {value}, which the {puts} in doubt"
        if parallelism < _SERIAL:
            return f"{start}."
        start += ". If it is right, "
    if parallelism < _SERIAL:
        if not profile.spawns and profile.threads == 1:
            return "The program is serial: it spawned nothing, and had one thread."
        return (
            f"{start}what is spawned is next to nothing compared with the rest, or is waited for "
            "at once."
        )
    if parallelism < 2 * AMPLE:
        return (
            f"{start}no number of processors runs the program more than {value} times as fast, and "
            f"keeping P of them busy takes a parallelism of about {AMPLE} P."
        )
    return f"{start}ample for about {int(parallelism / AMPLE):,} processors."


def _bottleneck(profile: WorkSpanProfile) -> Limit | None:
    found = holders(profile)
    if not found or not profile.span:
        return None
    first = found[0]
    share = percent(first.span, profile.span)
    start = ""
    if _has_enough(profile):
        start = f"If a parallelism of {parallelism_text(_parallelism(profile))} is too little: "
    if share < _MATTERS:
        sentence = (
            f"{start}{_nothing(profile)} holds more than {percent_text(share)} of the span: "
            f"{_several(profile, found)}."
        )
        largest = sum(holder.span for holder in found[:_LARGEST])
        return Limit("span", sentence, None, ceiling(profile, largest))
    most = " more than any other" if share < _DOMINATES else ""
    holds = f"{first.subject} holds {percent_text(share)} of the span"
    sentence = f"{start}{holds}{',' * bool(most)}{most}; {_gain(profile, first)}"
    if share < _DOMINATES and len(found) > 1:
        sentence += f". Next: {_next(profile, found[1:3])}"
    return Limit("span", f"{sentence}.", first.at, ceiling(profile, first.span))


def _has_enough(profile: WorkSpanProfile) -> bool:
    return _parallelism(profile) >= _ENOUGH


def _nothing(profile: WorkSpanProfile) -> str:
    return "No loop, and no routine outside of loops," if profile.loops else "No routine"


def _gain(profile: WorkSpanProfile, holder: Holder) -> str:
    now = parallelism_text(_parallelism(profile))
    most = ceiling(profile, holder.span)
    if most is None:
        return "nothing else is on the longest path: everything else runs in parallel with it"
    return f"parallelizing it raises the parallelism from {now} to at most {parallelism_text(most)}"


def _next(profile: WorkSpanProfile, found: Sequence[Holder]) -> str:
    shares = (f"{h.name} with {percent_text(percent(h.span, profile.span))}" for h in found)
    return ", ".join(shares)


def _several(profile: WorkSpanProfile, found: Sequence[Holder]) -> str:
    first = found[:_LARGEST]
    together = percent_text(percent(sum(h.span for h in first), profile.span))
    return f"the {len(first)} largest hold {together} together, {first[0].name} first"


def _grain(profile: WorkSpanProfile) -> Limit | None:
    parallelism = _parallelism(profile)
    burdened = ratio(profile.work, profile.burdened_span)
    if not profile.spawns or burdened is None or burdened >= _COARSE * parallelism:
        return None
    grain = profile.work / profile.spawns
    each = "" if profile.burden is None else f" of {profile.burden:,}"
    what = (
        f"The burdened parallelism is only {parallelism_text(burdened)}: a spawn's burden{each} "
        f"{profile.unit} is large compared with what it spawns"
    )
    sentence = f"{what}. There are {grain:,.0f} of work per spawn: let base cases do more."
    most = max(profile.sites, key=lambda site: site.spawned, default=None)
    return Limit("grain", sentence, most, parallelism)


def _locks(profile: WorkSpanProfile) -> Limit | None:
    if not profile.span or profile.serialised_span < _LOCKED * profile.span:
        return None
    now = parallelism_text(_parallelism(profile))
    then = parallelism_text(ratio(profile.work, profile.serialised_span))
    times = profile.serialised_span / profile.span
    sentence = (
        f"Locks: with critical sections one after the other the span is {times:.1f} times as long, "
        f"and the parallelism {then} instead of {now}"
    )
    at = None
    if profile.locks:
        lock = max(profile.locks, key=lambda lock: lock.held)
        at = lock.routine
        sentence += (
            f". The {lock_name(lock)} is held for {percent_text(percent(lock.held, profile.work))}"
        )
        sentence += f" of the work, in {lock.acquisitions:,} critical sections"
    return Limit("locks", f"{sentence}.", at, _parallelism(profile))


def lock_name(lock: Lock) -> str:
    """`mutex counter_lock (first taken by add)`."""
    name = f"{lock.kind} {printable(lock.name)}"
    if lock.routine is None:
        return name
    return f"{name} (first taken by {short_name(lock.routine.name)})"


def _overhead(profile: WorkSpanProfile) -> str:
    share = overhead_share(profile)
    if share < _BUSY:
        return ""
    executed = f"executed {percent_text(share)} of all {profile.unit}"
    apart = "This is in neither work nor span, but takes time."
    if profile.threads == 1:
        return f"Run-time libraries, and what starts the program, {executed}. {apart}"
    if 2 * _for_the_program(profile) < profile.overhead:
        return (
            f"Run-time libraries {executed}: mostly what starts the program, and threads that wait or "
            f"spin. {apart}"
        )
    return (
        f"The threading run-time library {executed}, scheduling, waiting and spinning. {apart} Fewer "
        "and larger tasks have less of it."
    )


def _for_the_program(profile: WorkSpanProfile) -> int:
    """The overhead that is not the start of the program, and no waiting; all of it if there is no dag that says so."""
    if profile.dag is None:
        return profile.overhead
    spinning, waiting = (OVERHEAD_KINDS.index(kind) for kind in ("spinning", "waiting"))
    return sum(
        amount
        for strand in profile.dag.strands
        for part in strand.parts
        for kind, amount in enumerate(part.overheads)
        if kind not in (spinning, waiting)
    )
