"""The manual page's example, typed as it is printed."""

from __future__ import annotations

import os
import subprocess
import textwrap

import pytest
from batch_bench import BUILD, SOURCE, VG_IN_PLACE

PAGE = (SOURCE / "docs/manual/aprof-batch.md").read_text()


def block(start: str, end: str) -> str:
    """The indented lines of the page from one that starts with `start` to one that ends with `end`."""
    first = PAGE.index(f"\n    {start}") + 1
    return textwrap.dedent(PAGE[first : PAGE.index(f"{end}\n", first) + len(end)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("manual")
    (path / "bin").mkdir()
    (path / "bin" / "valgrind").symlink_to(VG_IN_PLACE)
    return path


def typed(folder, text):
    tools = f"{folder / 'bin'}:{BUILD / 'plot'}"
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    words = ["sh", "-eu", "-c", text]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_example_and_its_queries(folder):
    lines = typed(folder, block("cat >sorting.toml", "'select * from times'"))
    assert lines[0] == "12 runs, all well"
    assert len([line for line in lines if line.startswith("sort ")]) == 12
    queries = block('aprof-batch query sorting.batch "select name, object', 'order by size"').split(
        "aprof-batch "
    )
    assert len(queries) == 4 and queries[0] == ""
    costs, laws, function = (typed(folder, f"aprof-batch {query}") for query in queries[1:])
    assert len(costs) == 11  # a line of names, then ten routines
    assert laws[0].split() == ["program", "name", "formula", "confidence", "slope"] and laws[1:]
    costliest = costs[1].split()[0]
    assert function[1:] and all(line.split()[0] == costliest for line in function[1:])
    sizes = [int(line.split()[1]) for line in function[1:]]
    assert sizes == sorted(set(sizes))
