"""bench/found: the table of findings in programs with a fault, repaired ones and healthy ones."""

from __future__ import annotations

from aprofbench.found import main


def test_a_fault_is_first_and_gone_after_the_repair(capsys):
    assert main(["queue_length", "trie"]) == 0
    heads, fault, repaired, healthy, *sums = capsys.readouterr().out.splitlines()
    assert heads.split() == ["program", "variant", "rank", "findings", "first"]
    assert fault.split()[:3] == ["queue_length.cpp", "1", "1"] and "grows as n^2" in fault
    assert repaired.split() == ["queue_length.cpp", "repaired", "0"]
    assert healthy.split() == ["trie.c", "healthy", "0"]
    assert sums == [
        "faults first: 1 of 1, 1 among the first 3",
        "repaired: 1 of 1 without finding",
        "healthy: 1 of 1 without finding",
    ]


def test_an_unknown_program_is_one_line(capsys):
    assert main(["queue_lenght"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "no program is called queue_lenght" in error


def test_a_compiler_that_is_not_there_is_named(capsys):
    assert main(["--cc=no-such-compiler", "trie"]) == 2
    assert "no-such-compiler" in capsys.readouterr().err
