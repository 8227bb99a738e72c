"""The reader of the profile format: docs/format-aprof.md, versions 1 to 7.

Everything is checked: a profile that breaks the format is refused with file and line, never read
in part. Time and memory: bench/reading.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from aprofplot.errors import ProfileError, RecordError
from aprofplot.merge import merge_threads, with_known_arguments
from aprofplot.model import (
    CHILDREN,
    CallEdge,
    Context,
    Integers,
    LineCost,
    LoopProfile,
    Profile,
    RoutineProfile,
    ThreadKey,
)
from aprofplot.progress import Progress
from aprofplot.read.arguments_reader import ArgumentPoints, ArgumentsReader, with_arguments
from aprofplot.read.batch_layout import CONTEXTS, TABLES
from aprofplot.read.call_edges import CALLER, EDGE_THREAD, call_edges
from aprofplot.read.call_sums import CallSums
from aprofplot.read.context_tree import ContextTree
from aprofplot.read.header_reader import Header, HeaderReader
from aprofplot.read.lines_reader import SelfCosts, read_lines
from aprofplot.read.loops_reader import LoopsReader
from aprofplot.read.names_reader import NamesReader
from aprofplot.read.profile_file import ProfileFile, load
from aprofplot.read.point_batch import Batch, PointBatches
from aprofplot.read.tables import THREAD, routine_profiles
from aprofplot.read.thread_sums import ThreadSums, WideError
from aprofplot.read.thread_tables import ThreadTables

_TODO = "the file is complete but violates docs/format-aprof.md: profile the program again, or report a bug"


def read_profile(path: str, calls_apart: bool = True, progress: Progress | None = None) -> Profile:
    """The profile at `path`, threads apart, those of its call edges if `calls_apart`, with all arguments that
    any call has. `progress` is told of lines. ProfileError if it cannot be read or is not what it should be.
    """
    file = load(path, progress=progress)
    header, at = _read_header(file)
    names = NamesReader()
    batches: list[Batch] = []
    contexts, loops, arguments, lines = _read_body(file, at, header, names, batches.append)
    del file  # what is made of the batches takes more than it
    keys = {thread: (ThreadKey(0, thread),) for thread in names.threads}
    routines: list[RoutineProfile] = []
    calls: list[CallEdge] = []
    sums = CallSums(header, names.routines)
    apart = ThreadTables(header, names.routines)
    batches.reverse()
    while batches:
        batch = batches.pop()
        apart.add(batch.tables)
        threads = (keys[thread] for thread in batch.tables.heads[:, THREAD].tolist())
        routines += routine_profiles(batch.tables, header, names.routines, threads)
        edges = batch.edges[batch.edges[:, CALLER] != 0]
        if calls_apart:
            threads = (keys[thread] for thread in edges[:, EDGE_THREAD].tolist())
            calls += call_edges(edges, header, names.routines, threads)
        else:
            sums.add(edges)
    return Profile(
        (header.run(tuple(names.threads.values())),),
        header.events,
        header.metrics,
        tuple(with_arguments(routines, arguments)),
        tuple(calls if calls_apart else sums.edges()),
        contexts,
        loops,
        lines,
        apart.routines() if len(names.threads) > 1 else (),
    )


def read_merged(path: str, progress: Progress | None = None) -> Profile:
    """merge_threads(read_profile(path)), in less time and memory."""
    file = load(path, progress=progress)
    header, at = _read_header(file)
    names = NamesReader()
    sums = ThreadSums(header, names.routines)
    calls = CallSums(header, names.routines)
    apart = ThreadTables(header, names.routines)

    def take(batch: Batch) -> None:
        apart.add(batch.tables)
        sums.add(batch.tables)
        calls.add(batch.edges[batch.edges[:, CALLER] != 0])

    try:
        contexts, loops, arguments, lines = _read_body(file, at, header, names, take)
    except WideError:
        return merge_threads(read_profile(path, progress=progress))
    del file  # adding up takes as much
    run = header.run(tuple(names.threads.values()))
    merged = merge_threads(
        Profile((run,), header.events, header.metrics, (), (), contexts, loops, lines)
    )
    routines = map(with_known_arguments, with_arguments(sums.routines(), arguments))
    by_thread = apart.routines() if len(names.threads) > 1 else ()
    return replace(
        merged, routines=tuple(routines), calls=tuple(calls.edges()), by_thread=by_thread
    )


def _read_header(file: ProfileFile) -> tuple[Header, int]:
    """The header, and the line after it."""
    reader = HeaderReader(file.path)
    at = 2
    try:
        while at < file.lines and not reader.complete:
            keyword, _, rest = file.line(at).partition(b" ")
            reader.record(keyword, rest)
            at += 1
        if not reader.complete:
            raise RecordError("the header has no 'columns' record")
    except RecordError as error:
        raise ProfileError(file.path, at, str(error), _TODO) from error
    return reader.header(), at


def _read_body(
    file: ProfileFile,
    at: int,
    header: Header,
    names: NamesReader,
    take: Callable[[Batch], None],
) -> tuple[
    tuple[Context, ...], tuple[LoopProfile, ...], tuple[ArgumentPoints, ...], tuple[LineCost, ...]
]:
    """Names and numbers: all from line `at` to the `end` record. `take`: the tables; contexts, loops,
    arguments and lines are the result. ProfileError as read_profile."""
    has_lines = file.version == 4 or file.version > 4 and header.options.get("lines") == "yes"
    lines_at = _last_block(file, at, b"lines", file.lines, has_lines)
    has_arguments = file.version == 5 or header.options.get("arguments", "no") != "no"
    arguments_at = _last_block(file, at, b"arguments", lines_at, has_arguments)
    in_contexts_at = _last_block(file, at, b"context-loops", arguments_at, file.version > 6)
    stop = _last_block(file, at, b"loops", in_contexts_at, CHILDREN in header.columns)
    self_costs = SelfCosts(header)

    def take_tables(batch: Batch) -> None:
        if lines_at < file.lines:
            self_costs.add(batch.tables.heads)
        take(batch)

    tree = _read_tables(file, at, stop, header, names, take_tables)
    contexts = tuple(tree.contexts(names.routines))
    try:
        loops = tuple(LoopsReader(file, header, names, in_contexts_at).read(stop))
        if in_contexts_at < arguments_at:
            in_contexts = LoopsReader(file, header, names, arguments_at)
            contexts = tuple(in_contexts.read_in_contexts(in_contexts_at, contexts, loops))
        arguments = tuple(ArgumentsReader(file, header, names, lines_at).read(arguments_at))
        lines = tuple(
            read_lines(file, lines_at, names, self_costs) if lines_at < file.lines else ()
        )
    except RecordError as error:
        raise _profile_error(file, lines_at, error) from error
    return contexts, loops, arguments, lines


def _profile_error(file: ProfileFile, at: int, error: RecordError) -> ProfileError:
    """`at`: the line, unless the error knows better."""
    return ProfileError(file.path, error.line or at, str(error), _TODO)


def _read_tables(
    file: ProfileFile,
    at: int,
    stop: int,
    header: Header,
    names: NamesReader,
    take: Callable[[Batch], None],
) -> ContextTree:
    """Names, tables and contexts: from line `at` to before `stop`."""
    contexts = ContextTree(header)
    context_batches = PointBatches(file, header, names, CONTEXTS, contexts.add)
    others = at + np.flatnonzero(~_own_blocks(file, at, stop))
    heads: list[Integers] = []
    lines: list[npt.NDArray[np.int64]] = []
    compared = bool((np.frombuffer(file.data, np.uint8)[file.starts[others - 1]] == ord("c")).any())

    def take_tables(batch: Batch) -> None:
        if compared:
            heads.append(batch.tables.heads)
            lines.append(batch.lines)
        take(batch)

    tables = PointBatches(file, header, names, TABLES[file.version], take_tables)
    try:
        for other in [*others.tolist(), stop]:
            if at < other:
                (context_batches if contexts.begun else tables).read(at, other)
            at = other
            if at < stop:
                keyword, _, rest = file.line(at).partition(b" ")
                if keyword == b"contexts" and file.version > 1:
                    contexts.begin(rest, at)
                else:
                    names.record(keyword, rest)
                at += 1
        contexts.finish(heads, lines)
    except RecordError as error:
        raise _profile_error(file, at, error) from error
    return contexts


def _last_block(file: ProfileFile, at: int, keyword: bytes, stop: int, is_due: bool) -> int:
    """The line of the record that begins one of the file's last blocks, before `stop`; `stop` if there is
    none. ProfileError if it `is_due`."""
    if file.version < 3:
        return stop
    begin, end = int(file.starts[at - 1]) - 1, int(file.starts[stop - 1])
    found = file.data.find(b"\n%s " % keyword, begin, end)
    if found >= 0:
        return int(np.searchsorted(file.starts, found + 1)) + 1
    if is_due:
        what = f"the profile has no '{keyword.decode()}' record"
        raise ProfileError(file.path, file.lines, what, _TODO)
    return stop


def _own_blocks(file: ProfileFile, at: int, stop: int) -> npt.NDArray[np.bool_]:
    """Which lines from `at` to before `stop` begin as those of tables and contexts do."""
    data = np.frombuffer(file.data, dtype=np.uint8)
    starts = file.starts[at - 1 : stop - 1]
    first, second = data[starts], data[starts + 1]
    found: npt.NDArray[np.bool_] = (
        ((first >= ord("0")) & (first <= ord("9")))
        | ((first == ord("t")) & (second == ord("a")))
        | ((first == ord("p")) & (second == ord("o")))
    )
    if file.version > 1:
        letter = np.flatnonzero(first == ord("c"))
        found[letter] = True
        for line in letter[data.take(starts[letter] + 7, mode="clip") == ord("s")].tolist():
            found[line] = not file.line(at + line).startswith(b"contexts")
    return found
