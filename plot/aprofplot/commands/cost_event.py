"""Chooses the cost event of a command: --cost, or the first that was measured."""

from __future__ import annotations

from aprofplot.errors import AprofError, UsageError
from aprofplot.metrics import PARALLELISM, SPAN, WORK, has_parallelism
from aprofplot.model import Profile

_EVENTS = ("bb", "instr", WORK, SPAN, PARALLELISM)


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
