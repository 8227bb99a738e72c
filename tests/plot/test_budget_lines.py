"""The grammar of budgets: docs/manual/aprof-check.md."""

from __future__ import annotations

import pytest

from aprofplot.compare.budget import BudgetSyntaxError, parse_line
from aprofplot.compare.limits import (
    CostLimit,
    GrowthLimit,
    ParallelismLimit,
    law_text,
    parse_law,
)


def read(text):
    """(routine, limit, what is measured) of a line."""
    line = parse_line(1, text)
    words = [line.metric, line.event, line.statistic, "self" * line.own]
    return (
        line.pattern,
        line.limit,
        [word for word in words if word not in ("", "mean")],
    )


N = GrowthLimit((0, 1, 0))


@pytest.mark.parametrize(
    "routine",
    [
        "sort",
        "std::map<int, int>::operator<=(std::map<int, int> const&)",
        "operator<=",
        "operator<=>(A, A)",
        "operator>>=",
        "operator<",
        "operator new(unsigned long)",
        "f(int)::{lambda()#1}::operator()",
        "void f<(a >= 2)>(long)",
        "libc.so.6:qsort",
        "Parser::*",
        'operator""_km',
        "naïve",
        "cost at size",
        "rms",
        "f(char const*, ...)",
    ],
)
@pytest.mark.parametrize("relation", [" <= n", " ≤ n", " <= n # why", "  <=  n  ", " <= O(n)#"])
def test_routines(routine, relation):
    if relation.endswith("#"):
        relation = " <= O(n) #"
    assert read(routine + relation) == (routine, N, [])
    quoted = '"' + routine.replace('"', '\\"') + '"'
    assert read(quoted + relation) == (routine, N, [])


def test_quotes_hide_everything():
    assert read('"a <= n # b rms" <= n # c') == ("a <= n # b rms", N, [])
    assert read('"f rms" rms <= n') == ("f rms", N, ["rms"])
    assert read(r'"a\"b\\" <= n') == ('a"b\\', N, [])


@pytest.mark.parametrize(
    "words, measured",
    [
        ("rms", ["rms"]),
        ("trms instr", ["trms", "instr"]),
        ("max", ["max"]),
        ("self bb rms min", ["rms", "bb", "min", "self"]),
    ],
)
def test_what_is_measured(words, measured):
    assert read(f"f(int) {words} <= n") == ("f(int)", N, measured)


@pytest.mark.parametrize("number", ["2e6", "2000000", "2_000_000", "2.0e6", "2E+6"])
def test_cost(number):
    limit = CostLimit(1000, 2e6)
    assert read(f"operator<= cost at size 1_000 <= {number}") == (
        "operator<=",
        limit,
        [],
    )
    assert read(f"f rms cost at size 1e3 max ≤ {number}") == (
        "f",
        limit,
        ["rms", "max"],
    )


def test_parallelism():
    for relation in (">=", "≥"):
        assert read(f"a::operator>=(b) parallelism {relation} 8.5") == (
            "a::operator>=(b)",
            ParallelismLimit(8.5),
            [],
        )


@pytest.mark.parametrize(
    "text, law",
    [
        ("1", "1"),
        ("O(1)", "1"),
        ("log n", "log n"),
        ("log2(n)", "log n"),
        ("log^2 n", "log^2 n"),
        ("log³ n", "log^3 n"),
        ("sqrt(n)", "sqrt n"),
        ("√n", "sqrt n"),
        ("n^0.5", "sqrt n"),
        ("n", "n"),
        ("N log N", "n log n"),
        ("n*log(n)", "n log n"),
        ("n · lg n", "n log n"),
        ("O(n log n)", "n log n"),
        ("n^1.5", "n^1.5"),
        ("n²", "n^2"),
        ("n**2", "n^2"),
        ("n ^ 2 log n", "n^2 log n"),
        ("n² log n", "n^2 log n"),
        ("n³", "n^3"),
        ("n^1.17", "n^1.17"),
        ("2^n", "2^n"),
        ("2**n", "2^n"),
        ("1024^n", "1024^n"),
        ("999.6^n", "999.6^n"),
        ("2.34567^n", "2.346^n"),
        ("1.0004^n", "1.0004^n"),
        ("1.000012^n", "1.000012^n"),
        ("1234567^n", "1234567^n"),
    ],
)
def test_laws(text, law):
    assert law_text(parse_law(text)) == law


@pytest.mark.parametrize(
    "text", ["", "m", "2", "n!", "n^", "n^n", "0.5^n", "n n", "log", "log n n"]
)
def test_no_laws(text):
    assert parse_law(text) is None


@pytest.mark.parametrize("text", ["", "   ", "# f <= n", "  # f <= n"])
def test_nothing(text):
    assert parse_line(1, text) is None


@pytest.mark.parametrize(
    "text, what",
    [
        ("f", "no limit"),
        ("f < n", "no limit"),
        ("<= n", "names no routine"),
        ("operator<=(int)", r"'\(int\)' is not a law"),
        ("f <= m", "'m' is not a law"),
        ("f <= 2e6", "'2e6' is not a law"),
        ("f cost at size 10 <= n", "'n' is not a number"),
        ("f cost at size 10 >= 5", ">= is for parallelism"),
        ("f >= n", ">= is for parallelism"),
        ("f parallelism <= 8", "not a limit of parallelism"),
        ("f parallelism >= n", "not a limit of parallelism"),
        ("f rms trms <= n", "both 'rms' and 'trms'"),
        ('"f" g <= n', "'g' follows the routine"),
    ],
)
def test_mistakes(text, what):
    with pytest.raises(BudgetSyntaxError, match=what):
        parse_line(1, text)


def test_what_is_no_law_is_told_all_laws():
    with pytest.raises(BudgetSyntaxError) as caught:
        parse_line(1, "f <= 1^n")
    assert "any n^C, and C^n with C above 1" in caught.value.todo
