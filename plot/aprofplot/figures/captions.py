"""Text in pictures: names escaped for matplotlib, and labels that distinguish series."""

from __future__ import annotations

import os
from collections.abc import Sequence

from aprofplot.model import Profile, Routine, Run, ThreadKey
from aprofplot.names import place, printable, program_name, shorten

_LABEL_WIDTH = 40  # characters of a name in a legend


def plain(text: str) -> str:
    """`text` for matplotlib: no formula, however many dollars are in it."""
    return printable(text).replace("$", r"\$")


def shorten_middle(text: str, width: int) -> str:
    """At most `width` characters, the middle left out."""
    if len(text) <= width:
        return text
    half = (width - 3) // 2
    return f"{text[: width - 3 - half]}...{text[-half:]}"


def routine_labels(routines: Sequence[Routine]) -> list[str]:
    """A short name for each; namesakes with their place, or else their address."""
    names = [shorten(routine.name, _LABEL_WIDTH) for routine in routines]
    places = [f"{n} ({place(r.object, r.file, 0)})" for n, r in zip(names, routines)]
    labels = []
    for name, placed, routine in zip(names, places, routines):
        if names.count(name) == 1:
            labels.append(name)
        elif places.count(placed) == 1:
            labels.append(placed)
        else:
            labels.append(f"{name}@0x{routine.address:x}")
    return labels


def thread_label(profile: Profile, key: ThreadKey) -> str:
    """`thread 2 reader`; of several runs, with its process: `thread 4711:2 reader`."""
    process = f"{profile.runs[key.run].pid}:" if len(profile.runs) > 1 else ""
    name = f"{process}{key.id} {shorten_middle(profile.thread(key).name, 30)}"
    return f"thread {name.strip()}"


def run_labels(runs: Sequence[Run]) -> list[str]:
    """What runs are called in one picture: by program, if all are different, else by file name,
    else by path."""
    return command_labels([(run.command, run.path) for run in runs])


def command_labels(runs: Sequence[tuple[str, str]]) -> list[str]:
    """As run_labels, of a command and a path each."""
    candidates = (
        [program_name(command) for command, _ in runs],
        [os.path.basename(path) for _, path in runs],
        [path for _, path in runs],
    )
    different = [labels for labels in candidates if len(set(labels)) == len(labels)]
    chosen = different[0] if different else candidates[-1]
    return [shorten_middle(label, _LABEL_WIDTH) for label in chosen]
