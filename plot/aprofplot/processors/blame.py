"""Blames call paths of the user's code, as findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from aprofplot.names import printable
from aprofplot.processors.charges import Costs
from aprofplot.processors.changes import Change
from aprofplot.processors.user_code import Frame, UserCode


# Below it, what is charged is to blame for nothing: who works while processors are idle that have nothing to
# do, whatever becomes of it. A quarter of the predicted speedups are wrong by more (docs/tested.md).
LEAST_GAIN = 1.05


@dataclass(frozen=True)
class Finding:
    """`frames`: the call path, the outermost call first; its last call is to blame. `lock`: its name.
    `without`: what the dag would be without. `gain`: how many times as fast the program would be.
    """

    kind: str
    share: float
    sentence: str
    frames: tuple[Frame, ...]
    lock: str | None
    without: Change
    gain: float

    @property
    def function(self) -> str:
        """The user's."""
        return self.frames[-1].function if self.frames else ""

    @property
    def lines(self) -> tuple[str, str]:
        """For people: what is to blame, and the gain without it."""
        return (
            f"{self.kind}: {self.sentence}.",
            f"Without this, the program would run {self.gain:.2f} times as fast.",
        )

    @property
    def text(self) -> str:
        """Both lines."""
        return " ".join(self.lines)


@dataclass(frozen=True, slots=True)
class Blame:
    """An `amount` of effort for which a path is to blame. In the sentence {name}, {place} and {share} are
    to be filled in. `remedy` makes the dag what it would be without, of the numbers that are `charged`: of
    paths, or of locks. `at`: the last call to blame, if that is known better than by the path, which may not
    lead to it."""

    kind: str
    amount: float
    path: int
    sentence: str
    remedy: Callable[[frozenset[int]], Change]
    charged: frozenset[int]
    lock: str | None = None
    at: Frame | None = None


def findings(
    costs: Costs, code: UserCode, blamed: Iterable[Blame], least: float, most: int
) -> list[Finding]:
    """What one routine is blamed for is one finding, whatever calls it: those of the `least` share or
    more, the `most` that gain most."""
    found: dict[tuple[str, str, str | None], list[Blame]] = {}
    for blame in blamed:
        of = (blame.kind, code.function(blame.path), blame.lock)
        found.setdefault(of, []).append(blame)
    large = [of for of in found.values() if _share(costs, of) >= least]
    large.sort(key=lambda of: -_share(costs, of))
    all_found = [_finding(costs, code, of) for of in large[: 2 * most]]
    paying = [of for of in all_found if of.gain >= LEAST_GAIN]
    return sorted(paying, key=lambda of: -of.gain)[:most]


def _share(costs: Costs, blamed: Sequence[Blame]) -> float:
    return min(sum(blame.amount for blame in blamed) / costs.total.effort, 1.0)


def _finding(costs: Costs, code: UserCode, blamed: Sequence[Blame]) -> Finding:
    """Of one routine, in all of its calls."""
    share = _share(costs, blamed)
    most = max(blamed, key=lambda blame: blame.amount)
    frames = code.frames(most.path)
    if most.at is not None:
        is_on_path = bool(frames) and frames[-1].function == most.at.function
        frames = (
            (*frames[:-1], replace(most.at, site=frames[-1].site)) if is_on_path else (most.at,)
        )
    name, place = "what starts the program", ""
    if frames:
        name = frames[-1].function
        file = printable(frames[-1].file.rpartition("/")[2])
        place = f" ({file}:{frames[-1].line})" if file else ""
    text = most.sentence.replace("{name}", name).replace("{place}", place)
    text = text.replace("{share}", f"{100 * share:.0f} %")
    without = most.remedy(frozenset().union(*(blame.charged for blame in blamed)))
    return Finding(most.kind, share, text, frames, most.lock, without, gain_of(without, costs))


def gain_of(change: Change, costs: Costs) -> float:
    """Simulated, as what-if is. Strands beside which no processor was idle are not divided: more tasks
    would only take longer to simulate."""
    then = change(costs.dag, costs.processors).strands
    strands = tuple(
        old if new.span < old.span and not idle else new
        for old, new, idle in zip(costs.dag.strands, then, costs.schedule.idleness)
    )
    unchanged = strands == costs.dag.strands  # as where there is one processor, which is never idle
    return 1.0 if unchanged else costs.gain(replace(costs.dag, strands=strands))
