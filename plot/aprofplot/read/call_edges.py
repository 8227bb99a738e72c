"""The call edges of a profile as arrays, on their way from `callers` blocks to the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from aprofplot.model import CallEdge, Integers, Routine, ThreadKey
from aprofplot.read.header_reader import Header
from aprofplot.read.names_reader import NamesReader
from aprofplot.read.point_checks import block_sums
from aprofplot.read.tables import CALLS, COST, ROUTINE, THREAD, UNFINISHED

# Places of an edge's numbers. From CALLER on they are those of its line in the file; from EDGE_COST
# on a pair for each event, inclusive and that of outermost calls.
EDGE_THREAD, CALLEE, CALLER, EDGE_CALLS, EDGE_UNFINISHED, EDGE_COST = range(6)


def edges_of(heads: Integers, counts: Integers, lines: Integers) -> Integers:
    """A row for each edge, those from no caller included. `heads`: of tables; `counts`: how many
    of the `lines` each has."""
    owners = np.repeat(heads[:, [THREAD, ROUTINE]], counts, axis=0)
    edges: Integers = np.concatenate([owners, lines], axis=1)
    return edges


def are_right(edges: Integers, heads: Integers, counts: Integers, names: NamesReader) -> bool:
    """Whether the edges into the tables of these `heads`, so many into each, keep to the format."""
    callers, calls = edges[:, CALLER], edges[:, EDGE_CALLS]
    falling = np.zeros(len(edges) + 1, dtype=bool)
    falling[1:-1] = callers[1:] <= callers[:-1]
    falling[np.cumsum(counts) - counts] = False
    if not (
        not falling[:-1].any()
        and names.are_routines(callers[callers != 0])
        and ((calls > 0) & (edges[:, EDGE_UNFINISHED] <= calls)).all()
        and (edges[:, EDGE_COST + 1 :: 2] <= edges[:, EDGE_COST::2]).all()
    ):
        return False
    due = [(EDGE_CALLS, CALLS), (EDGE_UNFINISHED, UNFINISHED)]
    due += zip(range(EDGE_COST + 1, edges.shape[1], 2), range(COST, heads.shape[1], 2))
    return all(
        bool((block_sums(edges[:, column], counts) == heads[:, expected]).all())
        for column, expected in due
    )


def call_edges(
    edges: Integers,
    header: Header,
    routines: Mapping[int, Routine],
    threads: Iterator[tuple[ThreadKey, ...]],
) -> Iterator[CallEdge]:
    """Each edge as the model has it; `threads`: of which threads each is."""
    events = [event.name for event in header.events]
    for edge, keys in zip(edges.tolist(), threads):
        cost = dict(zip(events, edge[EDGE_COST::2]))
        outermost = dict(zip(events, edge[EDGE_COST + 1 :: 2]))
        yield CallEdge(
            caller=routines[edge[CALLER]],
            callee=routines[edge[CALLEE]],
            threads=keys,
            calls=edge[EDGE_CALLS],
            cost=cost,
            unfinished=edge[EDGE_UNFINISHED],
            outermost=cost if outermost == cost else outermost,  # equal but for recursion
        )
