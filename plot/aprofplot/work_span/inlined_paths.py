"""Call paths of the source: with the user's inlined functions, as calls and loops show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from aprofplot.model import Loop
from aprofplot.ownership import is_system_source
from aprofplot.work_span.model import CallPath, Dag, InlinedFunction, Strand

_NAMELESS = {"", "operator()", "UnknownInlinedFun"}  # the function around them says more


def with_inlined(dag: Dag) -> Dag:
    """The same dag, whose paths lead through functions that were inlined, too."""
    paths = [dag.paths[0]]
    numbers = [0]  # by number in the dag
    inlined_there: list[tuple[InlinedFunction, ...]] = [
        ()
    ]  # since the last call, by number in `paths`
    known: dict[tuple[int, InlinedFunction], int] = {}
    for call in dag.paths[1:]:
        caller = numbers[call.caller]
        for function in _further(_functions(call), inlined_there[caller]):
            within = known.setdefault((caller, function), len(paths))
            if within == len(paths):
                paths.append(CallPath(caller, None, inlined=function))
                inlined_there.append((*inlined_there[caller], function))
            caller = within
        numbers.append(len(paths))
        paths.append(replace(call, caller=caller))
        inlined_there.append(() if call.loop is None else inlined_there[caller])
    return replace(dag, paths=tuple(paths), strands=tuple(_renumbered(dag.strands, numbers)))


def _functions(call: CallPath) -> tuple[InlinedFunction, ...]:
    """The user's that have the code of the call or loop, outermost first."""
    of = call.loop or call.site
    if of is None:
        return ()
    functions = _of_loop(of) if isinstance(of, Loop) else of.inlined
    files = [*(function.file for function in functions[1:]), of.file]
    return tuple(
        function
        for function, file in zip(functions, files)
        if function.name not in _NAMELESS and not is_system_source(file)
    )


def _of_loop(loop: Loop) -> tuple[InlinedFunction, ...]:
    names = [loop.function, *(of.caller for of in loop.inlined)]
    found = (InlinedFunction(name, of.file, of.line) for name, of in zip(names, loop.inlined))
    return tuple(found)[::-1]


def _further(
    functions: Sequence[InlinedFunction], known: Sequence[InlinedFunction]
) -> Sequence[InlinedFunction]:
    """Those beyond the known ones; all of another call of what was inlined."""
    count = len(known)
    return functions[count:] if tuple(functions[:count]) == tuple(known) else functions


def _renumbered(strands: Iterable[Strand], numbers: Sequence[int]) -> Iterable[Strand]:
    for strand in strands:
        parts = tuple(replace(part, path=numbers[part.path]) for part in strand.parts)
        share = strand.share and replace(strand.share, path=numbers[strand.share.path])
        sections = tuple(
            replace(use, by_path=tuple((numbers[path], held) for path, held in use.by_path))
            for use in strand.sections
        )
        yield replace(strand, parts=parts, sections=sections, share=share)
