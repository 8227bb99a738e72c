"""Suite files: their meaning, and messages for bad ones."""

from __future__ import annotations

import pytest

from aprofplot.batch.runs import Selection, expand, from_json
from aprofplot.batch.suite import SuiteError
from aprofplot.batch.suite_file import built_in, load, seconds, size_in_bytes
from aprofplot.commands import batch as batch_command


def runs(tmp_path, text, selection=Selection(), **variables):
    path = tmp_path / "s.toml"
    path.write_text(text)
    return expand(load(str(path), variables), selection)


def test_a_program_is_run_on_every_combination(tmp_path):
    text = """
    tools = ["native", "none"]
    threads = [1, 4]
    repetitions = 2
    [programs.p]
    command = "p -t{threads} {input}"
    inputs = [10, 20]
    [programs.q]
    command = "q"
    repetitions = 1
    """
    found = runs(tmp_path, text)
    assert len(found) == 2 * 2 * 2 * 2 + 2  # q cannot be told its threads
    assert len({run.id for run in found}) == len(found)
    (run,) = [run for run in found if run.id == "p/20-t4-r2-none"]
    assert run.command == ("p", "-t4", "20")
    assert run.under == ("valgrind", "-q", "--tool=none")
    chosen = Selection(programs=["p"], inputs=["20"], threads=[3], repetitions=1, tools=["native"])
    assert [run.id for run in runs(tmp_path, text, chosen)] == ["p/20-t3-r1-native"]


def test_options_environment_and_limits_of_suite_and_program_join(tmp_path):
    (run,) = runs(
        tmp_path,
        """
        timeout = "2m"
        memory = "1G"
        environment = {A = "1", B = "2"}
        tool-options = {valgrind = ["-v"], aprof-trms = ["--cost=bb"]}
        [variables]
        x = "default"
        [programs.p]
        command = ["p", "{x}", "{{x}}"]
        memory = "1K"
        environment = {B = "{input}"}
        tool-options = {aprof-trms = ["--cost=both"]}
        """,
        x="set",
    )
    assert run.command == ("p", "set", "{x}")
    assert (run.timeout, run.memory) == (120, 1024)
    assert run.environment == {"A": "1", "B": "default"}
    out_file = "--aprof-out-file={run}/aprof.out.%p"
    assert run.under[3:] == (out_file, "-v", "--cost=bb", "--cost=both")
    assert from_json(run.json()) == run


def test_limits_do_not_make_another_run_of_it_but_all_else_does(tmp_path):
    text = "[programs.p]\ncommand = 'p {input}'\n"
    (plain,) = runs(tmp_path, text)
    (limited,) = runs(tmp_path, text + "timeout = 3\nmemory = 5")
    (other,) = runs(tmp_path, text + "status = 1")
    assert plain.fingerprint == limited.fingerprint != other.fingerprint


def test_times_and_sizes():
    assert [seconds(t) for t in (5, "5s", "1.5m", "2h", "1d")] == [
        5,
        5,
        90,
        7200,
        86400,
    ]
    assert [size_in_bytes(s) for s in (7, "2K", "1.5M")] == [7, 2048, 1572864]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1\nb =", "s.toml: Invalid value (at end of document)"),
        ("", "'programs' is a required property"),
        (
            "[programs.p]\ncomand = 'x'",
            "programs.p: Additional properties are not allowed ('comand'",
        ),
        ("[programs.p]\n", "programs.p has no command"),
        ("[programs.p]\ncommand = '\"'", "programs.p.command: No closing quotation"),
        ("[programs.p]\ncommand = 'x'\ntimeout = 'soon'", "programs.p.timeout: 'soon'"),
        ("[programs.p]\ncommand = 'x {y}'", "unknown placeholder {y}"),
        (
            "[programs.p]\ncommand = 'x'\nthreads = [1, 2]",
            "{threads} is not in its command",
        ),
        (
            "[programs.p]\ncommand = 'x'\ninputs = ['a b']",
            "'a b' cannot be the name of a folder",
        ),
        ("[programs.p]\ncommand = 'x'\nstop = 'x'", "no client"),
        ("[programs.'../p']\ncommand = 'x'", "'../p'"),
        (
            "[variables]\nv = ''\n[programs.p]\ncommand = '{v}'",
            "needs v; give it as --set v=",
        ),
    ],
)
def test_bad_suites_are_refused_with_the_place(text, said, tmp_path, capsys):
    path = tmp_path / "s.toml"
    path.write_text(text)
    assert batch_command.main(["run", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and said in error, error
    assert not (tmp_path / "s.batch").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--programs=q"], "no program q; it has p"),
        (["--inputs=q"], "no input q; it has default"),
        (["--set=q=1"], "no variable q"),
        (["--tools=nonesuch"], "no tool nonesuch"),
        (["--valgrind=/no/valgrind"], "/no/valgrind cannot be run"),
        (["-o", "."], "has files in it, but no batch"),
    ],
)
def test_bad_options_are_refused(options, said, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text("[programs.p]\ncommand = 'true'\n")
    native = [] if "tool" in said or "valgrind" in said else ["--tools=native"]
    assert batch_command.main(["run", "s.toml", *native, *options]) == 2
    assert said in capsys.readouterr().err


def test_folders_that_are_no_batch_are_refused(tmp_path, capsys):
    for action in (["status"], ["report"], ["profiles"]):
        assert batch_command.main([*action, str(tmp_path)]) == 2
        assert "is not the folder of a batch" in capsys.readouterr().err
    assert batch_command.main(["query", str(tmp_path), "select 1"]) == 2
    assert "has no database yet" in capsys.readouterr().err


def test_a_query_s_csv_has_no_formulas(tmp_path, capsys):
    """SQLite makes an empty database of an empty file; the values are the query's own."""
    (tmp_path / "batch.db").touch()
    sql = "select '=1+1' as name, -2 as number, char(27) as '@'"
    assert batch_command.main(["query", "--format=csv", str(tmp_path), sql]) == 0
    assert capsys.readouterr().out == "name,number,'@\n'=1+1,-2,\\x1b\n"


def test_damage_and_bad_formats_are_one_message(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        batch_command.main(["report", str(tmp_path), "--format=pdf"])
    assert ended.value.code == 2
    (tmp_path / "suite.json").write_text('{"runs": []}')
    (tmp_path / "batch.db").write_text("no database" * 100)
    capsys.readouterr()
    assert batch_command.main(["report", str(tmp_path)]) == 2
    assert "batch.db is damaged: file is not a database; remove it" in capsys.readouterr().err
    (tmp_path / "batch.db").unlink()
    (tmp_path / "runs/p/x").mkdir(parents=True)
    (tmp_path / "runs/p/x/run.json").write_text("{")
    assert batch_command.main(["report", str(tmp_path)]) == 2
    assert "run.json is damaged; remove its folder" in capsys.readouterr().err


def test_built_in_suites_are_whole(capsys):
    assert batch_command.main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == built_in()
    assert lines[0].split(None, 1)[1].startswith("The Barcelona OpenMP Tasks Suite, as its ")
    assert lines[1].split(None, 1)[1] == "Programs of Debian, on inputs made from a seed"
    assert all(len(line.split()) > 5 and len(line) < 120 for line in lines)
    counts = {}
    for name in built_in():
        folder = {"bots": "bots-dir", "splash3": "splash3-dir"}.get(name, "parsec-dir")
        variables = {} if name == "debian" else {folder: "/where/it/is"}
        counts[name] = len({run.program for run in expand(load(name, variables), Selection())})
    assert counts == {
        "bots": 12,
        "debian": 10,
        "parsec": 30,
        "parsec-prebuilt": 30,
        "splash3": 14,
    }
    with pytest.raises(SuiteError, match="needs parsec-dir"):
        expand(load("parsec", {}), Selection())
