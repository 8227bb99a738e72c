"""Call edges and calling contexts in aprof-report's JSON, where they were measured."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TextIO

from aprofplot.model import CallEdge, Context, Routine, RoutineKey, ThreadKey
from aprofplot.reports.call_costs import sorted_calls
from aprofplot.reports.json_points import thread_entry, totals, write_with_points
from aprofplot.reports.listing import Listing

# Of an entry in "routines": with its thread where threads are apart.
_Key = tuple[RoutineKey, tuple[ThreadKey, ...]]
_Numbers = Mapping[_Key, int]


def write_calls_and_contexts(out: TextIO, listing: Listing) -> None:
    """The members "calls" and "contexts", each after a comma; nothing where there are none.

    A report of some routines only has the calls between them, and no contexts.
    """
    numbers = {_key(listing, r.routine, r.threads): i for i, r in enumerate(listing.routines)}
    edges = sorted_calls(listing.profile.calls)
    calls = [entry for edge in edges for entry in _call(listing, edge, numbers)]
    if edges:
        out.write(f', "calls": {json.dumps(calls)}')
    if listing.profile.contexts and listing.complete:
        out.write(', "contexts": [')
        for i, context in enumerate(listing.profile.contexts):
            out.write(", " if i else "")
            write_with_points(out, _context(listing, context, numbers), context.profile)
        out.write("]")


def _key(listing: Listing, routine: Routine, threads: tuple[ThreadKey, ...]) -> _Key:
    return (routine.key, threads if listing.per_thread else ())


def _call(listing: Listing, edge: CallEdge, numbers: _Numbers) -> list[dict[str, Any]]:
    """Its entry; none if one of the two routines is not listed."""
    ends = [_key(listing, routine, edge.threads) for routine in (edge.caller, edge.callee)]
    if not all(end in numbers for end in ends):
        return []
    entry: dict[str, Any] = {"caller": numbers[ends[0]], "callee": numbers[ends[1]]}
    entry |= {
        "calls": edge.calls,
        "unfinished": edge.unfinished,
        "threads": len(edge.threads),
    }
    entry["cost"] = {
        event: {"inclusive": cost, "outermost": edge.outermost[event]}
        for event, cost in edge.cost.items()
    }
    return [entry | (thread_entry(listing.profile, edge.threads) if listing.per_thread else {})]


def _context(listing: Listing, context: Context, numbers: _Numbers) -> dict[str, Any]:
    """All but its points. Contexts of several threads may be apart though routines are not."""
    of = context.profile
    entry: dict[str, Any] = {
        "parent": context.parent,
        "routine": numbers[_key(listing, of.routine, of.threads)],
    }
    entry |= {"merged": True} if context.merged else {}
    entry |= totals(of)
    return entry | (thread_entry(listing.profile, of.threads) if len(of.threads) == 1 else {})
