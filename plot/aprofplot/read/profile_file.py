"""A profile on disk as lines of bytes, checked to be complete: the count of lines and the checksum
of its `end` record agree with what is there."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from io import FileIO

import numpy as np
import numpy.typing as npt

from aprofplot.errors import ProfileError
from aprofplot.progress import Progress

_SCANNED = 1 << 22  # bytes that are searched for newlines at a time: temporaries stay small
_HEAD = 4096  # bytes that tell what a file is
_END = re.compile(rb"end ([0-9]{1,18}) ([0-9a-f]{8})")


@dataclass(frozen=True)
class Format:
    """A tool's profiles: what the first line begins with, the versions that can be read here, what
    the tool calls its files, and the commands that read them."""

    keyword: bytes
    versions: tuple[int, ...]
    tool: str
    usual_name: str
    readers: tuple[str, str]

    @property
    def again(self) -> str:
        """What to do about a file that is not whole."""
        return f"wait until {self.tool} has written it, or profile the program again"

    @property
    def give(self) -> str:
        """What to do about a file that is something else."""
        return f"give a profile that {self.tool} wrote, usually {self.usual_name}"


APROF = Format(
    b"aprof-trms-profile",
    (1, 2, 3, 4, 5, 6, 7),
    "aprof-trms",
    "aprof.out.PID",
    ("aprof-plot", "aprof-report"),
)
CILKSHADOW = Format(
    b"cilkshadow-profile",
    (1, 2, 3, 4, 5, 6, 7, 8),
    "cilkshadow",
    "cilkshadow.out.PID",
    ("cilkshadow-report", "cilkshadow-plot"),
)


@dataclass(frozen=True, eq=False)
class ProfileFile:
    """`version` is that of its format, `data` the file, `starts` the offsets of its lines and, last,
    of its end; `progress` is told how many lines were read."""

    path: str
    version: int
    data: bytes
    starts: npt.NDArray[np.int64]
    progress: Progress | None = None

    @property
    def lines(self) -> int:
        """How many lines there are, the `end` record included."""
        return len(self.starts) - 1

    def read_to(self, line: int) -> None:
        """Those before `line` were read: tells `progress`."""
        if self.progress is not None:
            self.progress(line - 1, self.lines)

    def line(self, number: int) -> bytes:
        """Line `number`, counted from 1, without its newline."""
        return self.data[self.starts[number - 1] : self.starts[number] - 1]

    def first_bytes(self, start: int, stop: int) -> npt.NDArray[np.uint8]:
        """The first byte of each line from `start` to before `stop`."""
        data = np.frombuffer(self.data, dtype=np.uint8)
        first: npt.NDArray[np.uint8] = data[self.starts[start - 1 : stop - 1]]
        return first


def load(path: str, kind: Format = APROF, progress: Progress | None = None) -> ProfileFile:
    """The file at `path`. ProfileError if it cannot be read, is foreign, another tool's, of another
    version, truncated or damaged."""
    try:
        with open(path, "rb", buffering=0) as file:
            head = _head(file)
            version = _version(path, head, kind)  # what is foreign may have no end, as /dev/zero
            if file.seekable():  # one copy in memory, not one of the rest and another of all
                file.seek(0)
                data = file.readall()
            else:
                data = head + file.readall()
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise ProfileError(path, None, what, kind.give) from error
    except ValueError as error:  # a path with a NUL
        raise ProfileError(path, None, "is not the path of a file", kind.give) from error
    starts = _line_starts(data)
    _check_end(path, data, starts, kind)
    return ProfileFile(path, version, data, starts, progress)


def _head(file: FileIO) -> bytes:
    """Its first bytes: a pipe may give few of them at a time."""
    head = b""
    while len(head) < _HEAD and (more := file.read(_HEAD - len(head))):
        head += more
    return head


def _line_starts(data: bytes) -> npt.NDArray[np.int64]:
    """Where lines begin: at 0, and after each newline."""
    bytes_of = np.frombuffer(data, dtype=np.uint8)
    starts = [np.zeros(1, dtype=np.int64)]
    for at in range(0, len(data), _SCANNED):
        newlines = np.flatnonzero(bytes_of[at : at + _SCANNED] == ord("\n"))
        starts.append(newlines + (at + 1))
    return np.concatenate(starts)


def _version(path: str, data: bytes, kind: Format) -> int:
    known = {kind.keyword + b" %d" % version: version for version in kind.versions}
    first = data[:200].split(b"\n", 1)[0]
    if not data:
        raise ProfileError(path, 1, "the file is empty", kind.again)
    if b"\n" not in data[:200] and any(line.startswith(first) for line in known):
        raise ProfileError(path, 1, "the file is truncated in its first line", kind.again)
    if not first.startswith(kind.keyword + b" "):
        raise _foreign(path, data, first, kind)
    if first not in known:
        found = _excerpt(first[len(kind.keyword) + 1 :])
        *earlier, latest = map(str, kind.versions)
        versions = " and ".join(filter(None, [", ".join(earlier), latest]))
        plural = "s" if len(kind.versions) > 1 else ""
        what = f"format version {found}, but only version{plural} {versions} can be read here"
        todo = f"use the {' and '.join(kind.readers)} that came with the {kind.tool} that wrote it"
        raise ProfileError(path, 1, what, todo)
    return known[first]


def _foreign(path: str, data: bytes, first: bytes, kind: Format) -> ProfileError:
    for other in (APROF, CILKSHADOW):
        if first.startswith(other.keyword + b" "):
            what = f"a profile of {other.tool}, not of {kind.tool}"
            return ProfileError(path, 1, what, f"read it with {' or '.join(other.readers)}")
    if b"\0" in data:
        return ProfileError(path, 1, f"a binary file, not a profile of {kind.tool}", kind.give)
    what = f"not a profile of {kind.tool}: it starts with {_excerpt(first)}"
    return ProfileError(path, 1, what, kind.give)


def _check_end(path: str, data: bytes, starts: npt.NDArray[np.int64], kind: Format) -> None:
    lines = len(starts) - 1
    if starts[-1] != len(data):
        what = "the file is truncated: its last line is not complete"
        raise ProfileError(path, lines + 1, what, kind.again)
    last = data[starts[-2] : -1]
    end = _END.fullmatch(last)
    if end is None:
        what = "the file is truncated or damaged: its last line is not an 'end' record"
        raise ProfileError(path, lines, what, kind.again)
    if end[1] != b"%d" % (lines - 1):
        what = f"the file is damaged: {lines - 1} lines where it should have {int(end[1])}"
        raise ProfileError(path, lines, what, kind.again)
    checksum = zlib.adler32(memoryview(data)[: starts[-2]])
    if end[2] != b"%08x" % checksum:
        what = f"the file is damaged: its checksum is {checksum:08x}, not {end[2].decode()}"
        raise ProfileError(path, lines, what, kind.again)


def _excerpt(line: bytes, length: int = 40) -> str:
    shown = line[:length].decode("utf-8", "replace")
    clean = "".join(c if c.isprintable() else "?" for c in shown)
    return f"'{clean}{'...' if len(line) > length else ''}'"
