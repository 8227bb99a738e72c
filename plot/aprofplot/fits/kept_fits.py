"""A cache of fits that took long, in the user's cache folder.

A fit is known by its points and by the code that found it, whatever profile they are from, so none is
ever out of date. A file that cannot be read or written is done without; one that is damaged is removed.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from functools import lru_cache
from pathlib import Path

import numpy as np

from aprofplot.fits.fit_record import decoded, encoded
from aprofplot.fits.law import Fit
from aprofplot.fits.subject import Subject

_WORTH_KEEPING = 10_000  # points: a second
_MOST_BYTES = 200_000_000  # 20 profiles of cc1; then it begins anew
_PATIENCE = 2.0  # seconds, while others write
_AT_ONCE = 500  # keys in a query
_TABLE = "CREATE TABLE IF NOT EXISTS fits (key BLOB PRIMARY KEY, fit TEXT NOT NULL) WITHOUT ROWID"


def kept_fits(subjects: Sequence[Subject]) -> dict[int, Fit]:
    """Those that are known, by number."""
    fits: dict[int, Fit] = {}
    if not _is_worth_keeping(subjects):
        return fits
    numbers: dict[bytes, list[int]] = {}
    for number, subject in enumerate(subjects):
        if subject.weight():
            numbers.setdefault(_key(subject), []).append(number)
    keys = list(numbers)

    def look_up(database: sqlite3.Connection) -> None:
        for begin in range(0, len(keys), _AT_ONCE):
            some = keys[begin : begin + _AT_ONCE]
            query = f"SELECT key, fit FROM fits WHERE key IN ({','.join('?' * len(some))})"
            for key, text in database.execute(query, some):
                for number in numbers[key]:
                    fits[number] = decoded(text, subjects[number])

    _with_database(look_up)
    return fits


def keep_fits(subjects: Sequence[Subject], fits: Mapping[int, Fit]) -> None:
    """Those of some of the subjects, by number."""
    if not _is_worth_keeping([subjects[number] for number in fits]):
        return
    texts = ((n, encoded(fit)) for n, fit in fits.items() if subjects[n].weight())
    rows = [(_key(subjects[number]), text) for number, text in texts if text is not None]

    def store(database: sqlite3.Connection) -> None:
        database.executemany("INSERT OR REPLACE INTO fits VALUES (?, ?)", rows)
        database.commit()

    _with_database(store)


def _is_worth_keeping(subjects: Sequence[Subject]) -> bool:
    return sum(subject.weight() for subject in subjects) >= _WORTH_KEEPING


def _with_database(use: Callable[[sqlite3.Connection], None]) -> None:
    """As far as it can be used."""
    path = _path()
    if path is None:
        return
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > _MOST_BYTES:
            path.unlink()
        with closing(sqlite3.connect(path, timeout=_PATIENCE)) as database:
            database.execute(_TABLE)
            use(database)
    except sqlite3.OperationalError:  # it is locked, or only to be read
        pass
    except (sqlite3.DatabaseError, ValueError, TypeError):  # it is damaged
        with suppress(OSError):
            path.unlink()
    except OSError:
        pass


def _path() -> Path | None:
    """As the XDG base directory specification has it."""
    folder = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(folder):
        folder = os.path.expanduser("~/.cache")
    return Path(folder, "aprof-trms", "fits.sqlite") if os.path.isabs(folder) else None


def _key(subject: Subject) -> bytes:
    table = subject.table
    what = subject.event, subject.own, subject.statistic, subject.exponential, subject.unmeasured
    about = (_code(), *what, table.precision, table.columns)
    digest = hashlib.blake2b(repr(about).encode(), digest_size=16)
    if table.rows.dtype == np.int64:
        digest.update(np.ascontiguousarray(table.rows).data)
    else:
        digest.update(repr(table.rows.tolist()).encode())
    return digest.digest()


@lru_cache(maxsize=None)
def _code() -> str:
    """What finds fits: another version may find others."""
    digest = hashlib.blake2b(f"{sys.version} {np.__version__}".encode(), digest_size=16)
    folder = Path(__file__).parent
    for path in sorted([*folder.glob("*.py"), *folder.parent.glob("*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()
