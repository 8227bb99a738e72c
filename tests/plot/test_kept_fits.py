"""Cached fits equal fresh ones, and nothing depends on the cache."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from known_laws import LAWS, NOISES, case, single_calls

from aprofplot.fits import fitting, kept_fits
from aprofplot.fits.fitting import fit_all
from aprofplot.fits.law import Fit
from aprofplot.fits.subject import Subject
from aprofplot.model import PointTable

SIZES = np.array([10.0, 200.0, 3000.0])


@pytest.fixture(scope="module")
def subjects() -> list[Subject]:
    """Of all kinds: too few points, constant, each law, noise, and a break."""
    random = np.random.default_rng(6)
    tables = [
        case(random, law, noise, count).points
        for count in (3, 9, 40)
        for law in LAWS
        for noise in list(NOISES)[:2]
    ]
    sizes = [int(2 ** (i / 2)) for i in range(4, 32)]
    broken = single_calls(sizes, [n * 20 if n < 300 else n * n / 15 for n in sizes])
    return [Subject(table, "bb") for table in [*tables, broken, broken]]


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(kept_fits, "_WORTH_KEEPING", 1)
    monkeypatch.setattr(kept_fits, "_PATIENCE", 0.0)
    return tmp_path / "aprof-trms" / "fits.sqlite"


def said(fits: Sequence[Fit]) -> list[str]:
    """All that they say, to the last digit, confidence bands included."""
    result = []
    for fit in fits:
        bands = [] if fit.uncertainty is None else [band.tolist() for band in fit.band(SIZES)]
        segment = fit.segment and replace(fit.segment, uncertainty=None)
        result.append(repr((replace(fit, uncertainty=None, segment=segment), bands)))
    return result


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> Callable[[Sequence[Subject]], tuple[list[str], int]]:
    """What is said of subjects, and how many of them had to be fitted."""
    in_shares = fitting.in_shares
    counted: list[int] = []

    def counting(subjects: Sequence[Subject], *others: Any) -> Any:
        counted.append(len(subjects))
        return in_shares(subjects, *others)

    monkeypatch.setattr(fitting, "in_shares", counting)

    def run(subjects: Sequence[Subject]) -> tuple[list[str], int]:
        fits = said(fit_all(subjects))
        return fits, counted[-1]

    return run


def test_kept_fits_are_those_that_were_found(
    subjects: list[Subject], database: Path, fitted: Callable[..., Any], monkeypatch: Any
) -> None:
    found, count = fitted(subjects)
    assert count == len(subjects) and any(", segment=Break(" in fit for fit in found)
    again, missing = fitted(subjects)
    assert again == found
    # What takes no time is found again: too few sizes, costs that are all the same.
    assert 0 < missing < len(subjects) / 2
    assert database.parent.stat().st_mode & 0o777 == 0o700
    # In part, in another order, of other code.
    assert fitted(subjects[::-3])[0] == found[::-3]
    monkeypatch.setattr(kept_fits, "_code", lambda: "another version")
    assert fitted(subjects) == (found, len(subjects))


def test_every_number_counts(
    subjects: list[Subject], database: Path, fitted: Callable[..., Any]
) -> None:
    broken = subjects[-1]
    fitted([broken])
    assert fitted([broken])[1] == 0
    table = broken.table
    rows = table.rows.copy()
    rows[table.columns.index("bb.sum"), 3] += 1
    narrow = rows.astype(np.int64)  # as readers have them, mostly
    for other in (
        replace(broken, table=PointTable(table.precision, table.columns, rows)),
        replace(broken, table=PointTable(table.precision, table.columns, narrow)),
        replace(broken, table=PointTable(8, table.columns, table.rows)),
        replace(broken, own=True),
        replace(broken, statistic="max"),
    ):
        assert fitted([other])[1] == 1


@pytest.mark.parametrize("damage", ["no database", "another table", "text", "a folder", "locked"])
def test_what_cannot_be_used_is_done_without(
    damage: str, subjects: list[Subject], database: Path, fitted: Callable[..., Any]
) -> None:
    some = subjects[20:30]
    found, count = fitted(some)
    locked = None
    if damage == "no database":
        database.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 20)
    elif damage == "a folder":
        database.unlink()
        database.mkdir()
    elif damage == "locked":
        locked = sqlite3.connect(database)
        locked.execute("BEGIN EXCLUSIVE")
    else:
        with sqlite3.connect(database) as changed:
            if damage == "another table":
                changed.execute("DROP TABLE fits")
                changed.execute("CREATE TABLE fits (something)")
            else:
                changed.execute("UPDATE fits SET fit = substr(fit, 9)")
        changed.close()
    assert fitted(some) == (found, count)
    if locked is not None:
        locked.close()
    assert fitted(some)[0] == found
    if damage in ("no database", "text"):
        assert fitted(some)[1] < count  # it was begun anew


def test_a_damaged_file_that_cannot_be_removed_is_left(
    subjects: list[Subject], database: Path, fitted: Callable[..., Any], monkeypatch: Any
) -> None:
    some = subjects[20:30]
    found, count = fitted(some)
    database.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 20)

    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(path)

    monkeypatch.setattr(Path, "unlink", refuse)
    assert fitted(some) == (found, count)


@pytest.mark.parametrize("home", [os.devnull, "relative"])
def test_without_a_place_to_keep_them(
    home: str, subjects: list[Subject], database: Path, fitted: Callable[..., Any], monkeypatch: Any
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", home)
    monkeypatch.setenv("HOME", os.devnull)
    some = subjects[20:24]
    assert fitted(some) == fitted(some)
    assert not Path(home).is_dir()


def _fit_in_process(subjects: list[Subject]) -> list[str]:
    return said(fit_all(subjects))


def test_several_commands_at_once(
    subjects: list[Subject], database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_fits, "_PATIENCE", 20.0)
    some = subjects[20:32]
    with ProcessPoolExecutor(3, get_context("fork")) as pool:
        answers = list(pool.map(_fit_in_process, [some, some[::-1], some[4:], some]))
    assert answers == [said(fit_all(some)), said(fit_all(some[::-1])), answers[0][4:], answers[0]]
    with sqlite3.connect(database) as kept:
        texts = [text for (text,) in kept.execute("SELECT fit FROM fits")]
    kept.close()
    assert len(texts) >= 6 and all(json.loads(text) for text in texts)


def test_little_work_leaves_no_file(
    subjects: list[Subject], database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_fits, "_WORTH_KEEPING", 10_000)
    fit_all(subjects[20:24])
    assert not database.parent.exists()
