"""Options, output paths and ends of the run that go wrong: one clear message, nothing lost."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess

import pytest

from running import VG_IN_PLACE, report_command, run

pytestmark = pytest.mark.usefixtures("libraries_without_debug_info")
TOOL = [VG_IN_PLACE, "--tool=aprof-trms"]


@pytest.mark.parametrize(
    "option",
    [
        "--memory-resolution=3",
        "--memory-resolution=32",
        "--memory-resolution=",
        "--input-metric=drms",
        "--cost=time",
        "--max-points=99",
        "--max-points=-1",
        "--max-points=1e4",
        "--contexts=maybe",
        "--max-contexts=0",
        "--max-contexts=-1",
        "--max-contexts=",
        "--max-contexts=5e4",
        "--counter-limit=9",
        "--counter-limit=4294967296",
        "--separate-threads=maybe",
        "--toggle-collect=",
        "--collect-from=",
        "--collect-until=",
        "--collect-at-start=later",
        "--instr-at-start=",
        "--sanity=maybe",
        "--trace-file=",
        "--aprof-out-file=",
        "--no-such-option=1",
    ],
)
def test_bad_option(option, tmp_path):
    result = run([*TOOL, option, "/bin/true"], cwd=tmp_path)
    assert result.returncode == 1
    assert option.encode() in result.stderr
    assert not list(tmp_path.iterdir())


def test_help_names_every_option_with_its_default():
    text = run([*TOOL, "--help"]).stdout.decode()
    for default in (
        "[aprof.out.%p]",
        "[both]",
        "[bb]",
        "[4]",
        "[yes]",
        "[10000]",
        "[all]",
        "[no]",
        "[50000]",
    ):
        assert default in text
    assert "--counter-limit=" not in text
    assert "--counter-limit=" in run([*TOOL, "--help-debug"]).stdout.decode()


def test_unwritable_path_is_found_before_the_run_starts(tmp_path):
    out = tmp_path / "none" / "profile"
    result = run([*TOOL, f"--aprof-out-file={out}", "/bin/echo", "ran"])
    assert result.returncode == 1
    assert result.stdout == b""
    assert str(out).encode() in result.stderr
    assert b"--aprof-out-file" in result.stderr


def test_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = tmp_path / "read"
    with open(read, "wb") as output, subprocess.Popen(["cat", pipe], stdout=output):
        # The first opening, before the run starts, must not be the last: keep the pipe open.
        with open(pipe, "rb+", buffering=0):
            assert run([*TOOL, "-q", f"--aprof-out-file={pipe}", "/bin/true"]).returncode == 0
    assert read.read_bytes().splitlines()[-1].startswith(b"end ")
    assert pipe.is_fifo()


def test_names_expand_as_valgrinds(tmp_path):
    environment = {**os.environ, "WHICH": "one"}
    run(
        [*TOOL, "--aprof-out-file=p.%q{WHICH}.%p", "/bin/true"],
        cwd=tmp_path,
        env=environment,
    )
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("p.one.") and path.name[6:].isdigit()
    pid = [line for line in path.read_text().splitlines() if line.startswith("pid ")]
    assert pid == [f"pid {path.name[6:]}"]


def test_summary_is_three_lines_and_two_commands(tmp_path, compile):
    program = compile("many_sizes.c")
    result = run([*TOOL, program], cwd=tmp_path)
    lines = [
        line.split("== ", 1)[1] for line in result.stderr.decode().splitlines() if "== " in line
    ]
    start = next(i for i, line in enumerate(lines) if " activations of " in line)
    (profile,) = tmp_path.glob("aprof.out.*")
    assert lines[start + 3 :] == [
        f"next: aprof-report {profile}",
        f"its first finding as a plot: aprof-plot --finding 1 {profile}",
    ]
    quiet = run([VG_IN_PLACE, "-q", *TOOL[1:], program], cwd=tmp_path)
    assert quiet.stderr == b""


def test_patterns_that_match_no_function_are_named_at_the_end(tmp_path, compile):
    options = ["--toggle-collect=mai", "--toggle-collect=mai?", "--collect-until=mian"]
    result = run([*TOOL, *options, compile("many_sizes.c")], cwd=tmp_path)
    unmatched = re.findall("no function that ran matches (.*)", result.stderr.decode())
    assert unmatched == ["--toggle-collect=mai", "--collect-until=mian"]


def test_names_of_clones_match_the_function(tmp_path, compile):
    program = compile("clones.c", "-O1", "-foptimize-sibling-calls")
    options = [f"--toggle-collect={name}" for name in ("work.part.0", "gone.isra.0", "*.part.0")]
    result = run([*TOOL, *options, program], cwd=tmp_path)
    unmatched = re.findall("no function that ran matches (.*)", result.stderr.decode())
    assert unmatched == ["--toggle-collect=*.part.0"]


@pytest.mark.parametrize("cost", ["bb", "instr", "both"])
def test_summary_suggests_the_costliest_routine(cost, tmp_path, compile):
    """Without loops, which findings need."""
    options = ["--loops=no", f"--cost={cost}"]
    result = run([*TOOL, *options, compile("many_sizes.c")], cwd=tmp_path)
    assert b"next: aprof-plot sum " in result.stderr


def test_several_threads_without_fair_scheduling_are_told_so(tmp_path, compile):
    note = b"--fair-sched=try"
    program = compile("producer_consumer.c")
    for options, said in (([], True), (["--fair-sched=try"], False), (["-q"], False)):
        result = run([*TOOL, *options, program], cwd=tmp_path)
        assert (note in result.stderr) == said
    assert note not in run([*TOOL, compile("many_sizes.c")], cwd=tmp_path).stderr


@pytest.mark.parametrize("children", ["no", "yes"])
def test_exec_keeps_what_was_measured_before(children, tmp_path):
    command = [
        *TOOL,
        "-q",
        f"--trace-children={children}",
        "--aprof-out-file=p",
        "/bin/sh",
        "-c",
    ]
    run([*command, "exec /bin/true"], cwd=tmp_path)
    reasons = {}
    for path in sorted(tmp_path.iterdir()):
        lines = path.read_text().splitlines()
        reasons[path.name] = next(line for line in lines if line.startswith("reason "))
    expected = {"p.exec1": "reason exec"}
    if children == "yes":
        expected["p"] = "reason exit"
    assert reasons == expected


def test_failed_exec_leaves_no_profile_behind(tmp_path):
    script = "exec /etc/passwd"
    command = [*TOOL, "-q", "--aprof-out-file=p", "/bin/sh", "-c", script]
    assert run(command, cwd=tmp_path).returncode == 126
    assert [path.name for path in tmp_path.iterdir()] == ["p"]


def test_forked_child_writes_its_own_profile(tmp_path):
    script = "(:; exit 5); exit 4"
    result = run([*TOOL, "-q", "/bin/sh", "-c", script], cwd=tmp_path)
    assert result.returncode == 4
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_folder(tmp_path):
    tmp_path.chmod(0o500)
    result = run([*TOOL, "/bin/true"], cwd=tmp_path)
    assert result.returncode == 1


def test_unwritable_trace_is_found_before_the_run_starts(tmp_path):
    trace = tmp_path / "none" / "trace"
    options = [f"--trace-file={trace}", f"--aprof-out-file={tmp_path}/profile"]
    result = run([*TOOL, *options, "/bin/echo", "ran"])
    assert result.returncode == 1
    assert result.stdout == b""
    assert str(trace).encode() in result.stderr
    assert b"--trace-file" in result.stderr


@pytest.mark.parametrize("tool", ["aprof-trms", "cilkshadow"])
def test_missing_names_are_said_once(tool, tmp_path, compile):
    """With how to get them: where a fifth or more of the cost has none."""
    command = [VG_IN_PLACE, f"--tool={tool}"]
    result = run([*command, compile("many_sizes.c", "-s")], cwd=tmp_path)
    said = [line for line in result.stderr.splitlines() if b"has no names" in line]
    assert len(said) == 1 and b"many_sizes: compile it with -g" in said[0]
    assert int(said[0].partition(b"% of")[0].split()[-1]) >= 20
    assert b"has no names" not in run([*command, compile("many_sizes.c")], cwd=tmp_path).stderr


def test_a_routine_in_the_message_at_the_end_does_not_drive_the_terminal(tmp_path, compile):
    program = tmp_path / "app"
    name = "größe's".encode() + b"\x1b[31m\x9bm\xc2\x9bm\xe2\x80\xaex\xc0\xafy\xe2\x82"
    option = os.fsdecode(b"--redefine-sym=sum=" + name)
    made = run(["objcopy", option, compile("many_sizes.c"), program])
    assert made.returncode == 0, made.stderr
    result = run([*TOOL, "--loops=no", "--toggle-collect=gr*", program], cwd=tmp_path)
    (said,) = (line for line in result.stderr.splitlines() if b"next: " in line)
    shown = r"größe's\x1b[31m\x9bm\x9bm\u202ex\xc0\xafy\xe2\x82"
    command = shlex.split(said.decode().split("next: ")[1])
    assert command[:2] == ["aprof-plot", shown]


def test_no_names_are_asked_of_code_in_no_file(tmp_path, compile):
    """As a JIT compiler's: there is nothing to compile or install."""
    result = run([*TOOL, compile("code_in_no_file.c")], cwd=tmp_path)
    (said,) = (line for line in result.stderr.splitlines() if b"has no names" in line)
    assert said.endswith(b"most of it in code that is in no file, such as a JIT compiler's")


@pytest.mark.parametrize("apart", [False, True], ids=["of the object", "of its debug file"])
def test_names_that_valgrind_cannot_inflate_are_said(apart, tmp_path, compile):
    """The core gives up the whole object, symbols included; -g would be the wrong advice."""
    program, debug = tmp_path / "app", tmp_path / "app.debug"
    shutil.copy(compile("many_sizes.c", "-Wl,--build-id"), program)
    with_zstd = ["objcopy", "--compress-debug-sections=zstd"]
    if apart:
        run(["objcopy", "--only-keep-debug", program, debug])
        run(["strip", program])
    compressed = debug if apart else program
    if run([*with_zstd, compressed]).returncode != 0:
        pytest.skip("binutils without zstd")
    if apart:
        run(["objcopy", f"--add-gnu-debuglink={debug}", program])
    result = run([*TOOL, "--aprof-out-file=profile", program], cwd=tmp_path)
    todo = f"try: objcopy --decompress-debug-sections {compressed}"
    if apart:
        todo += ", then --add-gnu-debuglink it again"
    (said,) = (line for line in result.stderr.decode().splitlines() if "has no names" in line)
    assert said.endswith(todo) and "with -g" not in said
    report = report_command("aprof-report", tmp_path / "profile").stdout.decode()
    assert f"compressed with zstd, which Valgrind cannot read; {todo})" in report
    assert run(["objcopy", "--decompress-debug-sections", compressed]).returncode == 0
    if apart:
        run(["objcopy", "--remove-section=.gnu_debuglink", program])
        run(["objcopy", f"--add-gnu-debuglink={debug}", program])
    assert b"has no names" not in run([*TOOL, program], cwd=tmp_path).stderr
