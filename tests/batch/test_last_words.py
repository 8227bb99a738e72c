"""The line of a run's output that says why it failed."""

from __future__ import annotations

import pytest

from aprofplot.batch.last_words import last_line

FATAL = """\
==7== Either way, Valgrind will now raise a SIGILL signal which will
==7== probably kill your program.
==7==
==7== Process terminating with default action of signal 4 (SIGILL)
==7==  Illegal opcode at address 0xD97E522
==7==    at 0xD97E522: hwy::platform::TimerResolution() (in libhwy.so.1)
==7==    by 0x4004A1D: call_init (dl-init.c:74)
"""


@pytest.mark.parametrize(
    "said, last",
    [
        ("", ""),
        ("first\n the last \n\n", "the last"),
        ("its own\n==7== Valgrind's\n", "its own"),
        ("==7== one\n--7-- two\n", "--7-- two"),
        ("its own\n" + FATAL, "its own"),
        (
            FATAL,
            "Process terminating with default action of signal 4 (SIGILL); "
            "Illegal opcode at address 0xD97E522; "
            "at 0xD97E522: hwy::platform::TimerResolution() (in libhwy.so.1)",
        ),
    ],
)
def test_the_last_line_that_says_something(said, last, tmp_path):
    (tmp_path / "stderr").write_text(said)
    assert last_line(tmp_path / "stderr") == last
