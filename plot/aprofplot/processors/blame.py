"""Who is to blame for what, as findings: sentences with a call path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from aprofplot.names import base_name, printable
from aprofplot.processors.charges import Costs
from aprofplot.work_span.model import CallSite


@dataclass(frozen=True)
class Finding:
    """`frames`: the call path, the outermost call first; its last call is to blame. `lock`: its name.
    `gain`: how many times as fast the program would be without."""

    kind: str
    share: float
    sentence: str
    frames: tuple[CallSite, ...]
    lock: str | None
    gain: float

    @property
    def function(self) -> str:
        """Of the user, whatever a compiler split off it."""
        return function_of(self.frames[-1]) if self.frames else ""


@dataclass(frozen=True, slots=True)
class Blame:
    """An `amount` of effort for which a path is to blame. In the sentence {name}, {place} and {share} are
    to be filled in."""

    kind: str
    amount: float
    path: int
    sentence: str
    lock: str | None = None


def function_of(site: CallSite) -> str:
    """The callee, without parameters and without what a compiler adds for a body that it outlined."""
    name = base_name(printable(site.callee.name))
    for marker in ("._omp_fn.", ".omp_outlined", "._omp_cpyfn."):
        name = name.partition(marker)[0]
    return name.removeprefix(".")


def findings(costs: Costs, blamed: Iterable[Blame]) -> list[Finding]:
    """What one routine is blamed for is one finding, whatever calls it."""
    found: dict[tuple[str, str, str | None], list[Blame]] = {}
    for blame in blamed:
        frames = costs.frames(blame.path)
        function = function_of(frames[-1]) if frames else ""
        found.setdefault((blame.kind, function, blame.lock), []).append(blame)
    return [_finding(costs, of) for of in found.values()]


def _finding(costs: Costs, blamed: Sequence[Blame]) -> Finding:
    """Of one routine, in all of its calls."""
    share = min(sum(blame.amount for blame in blamed) / costs.total.effort, 1.0)
    most = max(blamed, key=lambda blame: blame.amount)
    frames = tuple(costs.frames(most.path))
    name = function_of(frames[-1]) if frames else "what starts the program"
    place = ""
    if frames and frames[-1].line:
        site = frames[-1]
        place = f" (called at {printable(site.file.rpartition('/')[2])}:{site.line})"
    text = most.sentence.replace("{name}", name).replace("{place}", place)
    text = text.replace("{share}", f"{share:.0%}")
    gain = min(1 / (1 - share), costs.processors) if share < 1 else float(costs.processors)
    return Finding(most.kind, share, text, frames, most.lock, gain)
