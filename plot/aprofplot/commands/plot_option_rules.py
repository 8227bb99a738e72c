"""The valid combinations of aprof-plot's options."""

from __future__ import annotations

import argparse


def what_is_wrong(given: argparse.Namespace) -> str:
    """What does not go together, empty if all does."""
    if given.list and given.output:
        return "--list draws nothing: leave -o out"
    if given.list and given.program:
        return "--list and --program exclude each other"
    if given.finding and (given.list or given.program):
        return "--finding draws one finding: leave --list and --program out"
    if given.program:
        log = given.log and given.program in ("induced", "sources")
        return _meaningless(
            given, f"--program={given.program}", ("--cost", given.cost), ("--log", log)
        )
    if given.finding:
        return _meaningless(given, "--finding", ("--label", given.labels))
    if not given.list and not given.arguments:
        return "name a routine, or use --finding, --list or --program"
    plot = given.plot or "cost"
    rules = (
        (
            given.bound and given.plot not in (None, "cost"),
            "--bound divides the cost: leave --plot out",
        ),
        (
            given.fit and (plot != "cost" or given.bound),
            "--fit is for the cost: leave --plot and --bound out",
        ),
        (
            given.cost == "parallelism" and (plot != "cost" or given.own or given.y),
            "--cost=parallelism is one number for each size: leave --plot, --self and --y out",
        ),
        (
            given.alpha is not None and plot != "amortized",
            "--alpha needs --plot=amortized",
        ),
        (
            given.y and plot != "cost",
            f"--y is for --plot=cost: leave it out with --plot={plot}",
        ),
        (
            plot in ("workload", "induced") and (given.own or given.cost),
            f"--plot={plot} shows no cost: leave --self and --cost out",
        ),
        (
            plot == "progress" and (given.own or given.metric or given.overlay),
            "--plot=progress is the cost by iteration: leave --self, --metric and --overlay out",
        ),
        (
            given.overlay and given.metric not in (None, "trms", "rms", "both"),
            f"--overlay is of TRMS and RMS: leave --metric={given.metric} out",
        ),
        (
            given.compare and given.per_thread,
            "--compare and --per-thread exclude each other",
        ),
        (given.labels and not given.compare, "--label needs --compare or --program"),
        (
            plot == "induced" and (given.overlay or given.metric not in (None, "trms")),
            "--plot=induced is for TRMS only: leave --metric and --overlay out",
        ),
    )
    return next((what for wrong, what in rules if wrong), "")


def _meaningless(given: argparse.Namespace, by: str, *more: tuple[str, object]) -> str:
    """The first option that has no meaning where `by` says what to draw. `more`: other options that have none, and
    whether they are given."""
    options = (
        ("--plot", given.plot),
        ("--bound", given.bound),
        ("--fit", given.fit),
        ("--alpha", given.alpha is not None),
        ("--metric", given.metric),
        ("--overlay", given.overlay),
        ("--self", given.own),
        ("--y", given.y),
        ("--with", given.also),
        ("--all", given.all),
        ("--per-thread", given.per_thread),
        ("--compare", given.compare),
        *more,
    )
    wrong = [name for name, used in options if used]
    return f"{wrong[0]} has no meaning with {by}" if wrong else ""
