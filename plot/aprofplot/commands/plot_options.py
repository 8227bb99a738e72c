"""aprof-plot's command line."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence

from aprofplot.commands.command_line import EXIT_STATUS, command_parser
from aprofplot.commands.picture import FORMATS
from aprofplot.commands.plot_option_rules import what_is_wrong
from aprofplot.findings.ranking import MOST
from aprofplot.model import ITERATIONS, argument_of
from aprofplot.partial_input import PARTIAL_METRICS, left_out

PLOTS = ("cost", "range", "total", "workload", "variance", "amortized", "induced", "progress")
PROGRAM_FIGURES = ("induced", "richness", "volume", "sources", "thread", "external")
_METRICS = ("trms", "rms", "both", *PARTIAL_METRICS, ITERATIONS)  # and arguments

_EXAMPLES = f"""\
examples:
  aprof-plot --finding 1                             what aprof-report finds first
  aprof-plot --list                                  the routines that can be plotted
  aprof-plot sum                                     newest aprof.out.* here; a window, or sum.png
  aprof-plot 'Parser::*' -o parse.svg aprof.out.4711
  aprof-plot 'Parser::*' --all -o parser.png         all of them in one picture
  aprof-plot libc.so.6:qsort --metric both --log xy -o qsort.png aprof.out.*
  aprof-plot digest --overlay -o digest.pdf          TRMS over RMS
  aprof-plot worker --plot workload --per-thread -o worker.png
  aprof-plot sort --fit --style paper -o sort.pdf    with its fitted curve, for a paper
  aprof-plot sort --bound 'n log n'                  level if the cost grows as n log n
  aprof-plot store.cpp:12 --metric iterations        a loop, by the number of its iterations
  aprof-plot fib --metric argument:n --fit           by the value of the argument n
  aprof-plot sort --compare old.out new.out          before and after
  aprof-plot --program richness aprof.out.*          all routines, a curve for each profile

{EXIT_STATUS}, 3 drawn, but
from a single point: that shows no function
"""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = command_parser(
        "aprof-plot",
        "Plots the cost of a routine's activations against their input size (its empirical cost "
        "function), from aprof-trms profiles.",
        _EXAMPLES,
    )
    result.add_argument(
        "arguments",
        nargs="*",
        metavar="ROUTINE [PROFILE...]",
        help="ROUTINE: a name, with or without qualifiers and parameters, a glob, or either after "
        "OBJECT: or FILE: ; or a loop, FILE:LINE or ROUTINE/loop:LINE. PROFILE: aprof.out.PID [the "
        "newest aprof.out.* in the current folder]; several are merged",
    )
    add = result.add_argument
    add(
        "--list",
        action="store_true",
        help="list routines by cost instead; takes PROFILEs only",
    )
    add(
        "--finding",
        type=_rank,
        metavar="N",
        help=f"draw what explains aprof-report's finding N, 1 to {MOST}; takes PROFILEs only",
    )
    add("-o", dest="output", metavar="FILE", help=f"write FILE: {', '.join(FORMATS)}")
    _add_views(result.add_argument_group("what to draw"))
    _add_comparisons(result.add_argument_group("several in one picture"))
    _add_looks(result.add_argument_group("appearance"))
    return result


def _add_views(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    partial = "; ".join(f"{of}: TRMS without what came {left_out(of)}" for of in PARTIAL_METRICS)
    add(
        "--plot",
        choices=PLOTS,
        help="against input size: cost; range: best, mean and worst case; total: total cost; "
        "workload: number of activations; variance: variance of the cost; amortized: amortized cost; "
        "induced: share of the input from other threads and the kernel; progress: for a loop, the cost of "
        "the k-th iteration, and the sum [cost]",
    )
    add(
        "--bound",
        metavar="MODEL",
        help="divide the cost by 1, 'log n', 'sqrt n', n, 'n log n', n^1.5, n^2, 'n^2 log n', n^3, "
        "2^n, 'log^2 n', 'log^3 n' or n^C: level where the cost grows the same way",
    )
    add(
        "--fit",
        action="store_true",
        help="also draw the fitted curve, its confidence band and formula",
    )
    add(
        "--alpha",
        type=_alpha,
        metavar="A",
        help="for --plot=amortized: the multiple of their cost that cheap activations pay in advance "
        "[the best, up to 2]",
    )
    add(
        "--metric",
        type=_metric,
        metavar=f"{{{','.join(_METRICS)},argument:NAME}}",
        help=f"input size; both: a panel for each; {partial}; iterations: for a loop, the number of its iterations; "
        "argument:n: the value of the integer argument n [trms if measured, else rms]",
    )
    add("--overlay", action="store_true", help="both metrics in one panel")
    add(
        "--cost",
        metavar="EVENT",
        help="bb (basic blocks) or instr; with --work-span=yes also work, span, or parallelism (work / "
        "span) [the first measured]",
    )
    add(
        "--self",
        dest="own",
        action="store_true",
        help="self cost instead of inclusive cost",
    )
    add(
        "--y",
        choices=("max", "mean", "min", "total"),
        help="the cost to draw for each size [max: the worst case]",
    )
    add(
        "--program",
        choices=PROGRAM_FIGURES,
        help="draw all routines; takes PROFILEs only. induced: bars of thread-induced and external "
        "input; sources: the same for whole programs; richness, volume, thread, external: share of "
        "routines with at least that much profile richness, input volume beyond RMS, thread-induced or "
        "external input",
    )


def _add_comparisons(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add(
        "--with",
        dest="also",
        action="append",
        default=[],
        metavar="ROUTINE",
        help="also draw this routine; may be repeated",
    )
    add(
        "--all",
        action="store_true",
        help="draw all routines that ROUTINE matches, not only one",
    )
    add("--per-thread", action="store_true", help="a colour for each thread")
    add(
        "--compare",
        action="store_true",
        help="a colour for each PROFILE instead of merging them",
    )
    add(
        "--label",
        dest="labels",
        action="append",
        default=[],
        metavar="NAME",
        help="the name of a PROFILE in the picture, in their order [program or file]",
    )


def _add_looks(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add(
        "--log",
        choices=("x", "y", "xy", "none"),
        help="logarithmic axes [those that span three decades; for a cost plot both or none]",
    )
    add(
        "--style",
        default="screen",
        metavar="NAME",
        help="screen, paper (a column wide, serif, no title, a pdf), dark, or a matplotlib style "
        "file [screen]",
    )
    add(
        "--title",
        metavar="TEXT",
        help="title instead of the routine's name and run; '' for none",
    )


def _metric(text: str) -> str:
    if text not in _METRICS and not argument_of(text):
        known = f"{', '.join(_METRICS)} and argument:NAME"
        raise argparse.ArgumentTypeError(f"'{text}' is not an input size: known are {known}")
    return text


def _rank(text: str) -> int:
    if text not in map(str, range(1, MOST + 1)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a finding's number, 1 to {MOST}")
    return int(text)


def _alpha(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 on")
    return value


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The options given; exits with status 2, and says why, if they do not go together."""
    command_line = parser()
    arguments = command_line.parse_intermixed_args(argv)
    mistake = what_is_wrong(arguments)
    if mistake:
        command_line.error(mistake)
    return arguments
