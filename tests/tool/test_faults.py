"""Faults around a run: signals, limits, full disks, folders that go away. What was measured is
saved wherever that is possible; where it is not, a message says what is lost. A profile never
appears in part, and never replaces an earlier one in part.
"""

from __future__ import annotations

import os
import re
import resource
import shlex
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from running import VG_IN_PLACE, Profiled, run, sizes

pytestmark = pytest.mark.usefixtures("libraries_without_debug_info")
TOOL = [VG_IN_PLACE, "--tool=aprof-trms"]
MEGABYTE = 1 << 20


@pytest.fixture
def trouble(compile: Callable[..., Path]) -> Path:
    """The program that makes it; without a fault of its own its exit status is 5."""
    return compile("trouble.c")


@pytest.fixture
def small_disk(tmp_path: Path) -> tuple[list[str], Path]:
    """A command before a command, and the folder where it mounts a disk of 32 kB: a profile of
    `trouble` takes more."""
    folder = tmp_path / "small"
    folder.mkdir()
    return (
        in_namespaces(f"mount -t tmpfs -o size=32k none {shlex.quote(str(folder))}"),
        folder,
    )


def in_namespaces(preparation: str) -> list[str]:
    """A command before a command: root, in namespaces of its own and after `preparation`. Skips
    the test where that is not allowed."""
    for unshare in (["unshare", "--mount"], ["unshare", "--mount", "--map-root-user"]):
        before = [*unshare, "/bin/sh", "-c", f'{preparation} && exec "$@"', "sh"]
        try:
            if run([*before, "/bin/true"]).returncode == 0:
                return before
        except FileNotFoundError:
            break
    pytest.skip("may neither mount nor make namespaces here")


def limits(**soft_and_hard: int) -> Callable[[], None]:
    """To run in the child: sets RLIMIT_name, which then may not be raised again."""

    def set_limits() -> None:
        for name, value in soft_and_hard.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))

    return set_limits


def assert_whole(path: Path, process: subprocess.CompletedProcess[bytes], reason: str) -> None:
    """The profile of `trouble` is there to the last number."""
    profiled = Profiled(process, [path])
    assert sizes(profiled.routine("work"), "rms") == [10, 20, 30]
    assert profiled.lines("reason") == [[reason]]


def messages(process: subprocess.CompletedProcess[bytes]) -> list[str]:
    """The tool's lines on standard error, without its banner and summary."""
    lines = re.findall(r"^==\d+== (.+)$", process.stderr.decode(), re.MULTILINE)
    return [line for line in lines if "vgdb" not in line]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_fatal_signal_leaves_a_profile(number, tmp_path):
    """Also SIGKILL, as long as the program itself sends it: it goes through Valgrind."""
    script = f"kill -{int(number)} $$"
    result = run([*TOOL, "-q", "--aprof-out-file=profile", "/bin/sh", "-c", script], cwd=tmp_path)
    assert result.returncode == -number
    assert (tmp_path / "profile").read_text().splitlines()[-1].startswith("end ")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_signal_from_outside(number, tmp_path, trouble):
    """SIGKILL cannot be caught: nothing new appears, and the earlier profile is as it was."""
    path = tmp_path / "p"
    path.write_text("earlier")
    command = [*TOOL, "-q", f"--aprof-out-file={path}", trouble, "wait"]
    process = subprocess.Popen(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A test run in the background inherits that SIGINT is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"waiting\n"
    process.send_signal(number)
    output, error = process.communicate(timeout=60)
    assert process.returncode == -number
    assert [p.name for p in tmp_path.iterdir()] == ["p"]
    if number == signal.SIGKILL:
        assert path.read_text() == "earlier"
    else:
        done = subprocess.CompletedProcess(command, process.returncode, output, error)
        assert_whole(path, done, "exit")


def test_killed_while_writing(tmp_path, trouble):
    """At the last moment: the new profile is complete but has not got its name."""
    path = tmp_path / "p"
    path.write_text("earlier")
    command = [*TOOL, f"--aprof-out-file={path}", trouble, "die-at-rename"]
    result = run(command)
    if result.returncode == 99:
        pytest.skip("no seccomp here")
    assert result.returncode == -signal.SIGSYS
    assert path.read_text() == "earlier"
    (part,) = [p for p in tmp_path.iterdir() if p != path]
    assert re.fullmatch(r"p\.\d+\.part", part.name)
    assert run([*command[:-1], "none"]).returncode == 5
    assert_whole(path, result, "exit")


@pytest.mark.parametrize(
    "what",
    [
        ["close"],
        ["close-range"],
        ["chdir", "/"],
        ["umask"],
        ["file-size-limit"],
        ["open-files-limit"],
        ["memory-limit"],
    ],
    ids=lambda what: what[0],
)
def test_program_that_makes_trouble_for_itself(what, tmp_path, trouble):
    """Its limits are for itself, its working folder is not where a relative path begins."""
    result = run([*TOOL, "--aprof-out-file=p", trouble, *what], cwd=tmp_path)
    assert result.returncode == 5
    (path,) = tmp_path.iterdir()
    assert path.name == "p"
    if what == ["umask"]:  # the one thing that applies to the profile, too
        assert path.stat().st_mode & 0o777 == 0
        path.chmod(0o600)
    assert_whole(path, result, "exit")
    assert f"profile written to {path}" in messages(result)


def test_vanished_folder_moves_the_profile_elsewhere(tmp_path):
    folder = tmp_path / "gone"
    elsewhere = tmp_path / "tmp"
    folder.mkdir()
    elsewhere.mkdir()
    taken = elsewhere / "profile"
    taken.write_text("another")
    environment = {**os.environ, "TMPDIR": str(elsewhere)}
    command = [*TOOL, f"--aprof-out-file={folder}/profile", "/bin/rm", "-r", folder]
    result = run(command, env=environment)
    assert result.returncode == 0
    assert not folder.exists()
    assert taken.read_text() == "another"
    text = (elsewhere / "profile.2").read_text()
    assert text.splitlines()[-1].startswith("end ")
    said = f"could not write '{folder}/profile': no such folder."
    assert f"{said} The profile is in '{elsewhere}/profile.2' instead." in messages(result)


def test_full_device(tmp_path, trouble):
    result = run(
        [*TOOL, "--aprof-out-file=/dev/full", trouble],
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert result.returncode == 5
    assert_whole(tmp_path / "full", result, "exit")
    said = "could not write '/dev/full': no space left."
    assert f"{said} The profile is in '{tmp_path}/full' instead." in messages(result)


def test_full_disk(tmp_path, trouble, small_disk):
    before, folder = small_disk
    elsewhere = tmp_path / "tmp"
    elsewhere.mkdir()
    result = run(
        [*before, *TOOL, f"--aprof-out-file={folder}/p", trouble],
        env={**os.environ, "TMPDIR": str(elsewhere)},
    )
    assert result.returncode == 5
    assert_whole(elsewhere / "p", result, "exit")
    said = f"could not write '{folder}/p': no space left."
    assert f"{said} The profile is in '{elsewhere}/p' instead." in messages(result)


@pytest.mark.parametrize("option", ["--vgdb=yes", "--vgdb=no"])
def test_full_folder_for_temporary_files(option, tmp_path, trouble, small_disk):
    """Valgrind's core keeps files of its own there for vgdb: without room for them it may refuse to
    start, but says so."""
    before, folder = small_disk
    fill = f"head -c 40000 /dev/zero >{shlex.quote(str(folder))}/full 2>/dev/null"
    result = run(
        [*before, "/bin/sh", "-c", f'{fill}; exec "$@"', "sh"]
        + [*TOOL, option, f"--aprof-out-file={tmp_path}/p", trouble],
        env={**os.environ, "TMPDIR": str(folder)},
    )
    if option == "--vgdb=yes" and result.returncode == 1:
        assert str(folder).encode() in result.stderr
        assert not (tmp_path / "p").exists()
    else:
        assert result.returncode == 5
        assert_whole(tmp_path / "p", result, "exit")


def test_no_place_left_anywhere(tmp_path, trouble):
    """Not a byte beyond the 20000th of any file. The program's status stays its own."""
    path = tmp_path / "p"
    path.write_text("earlier")
    result = run(
        [*TOOL, f"--aprof-out-file={path}", trouble],
        preexec_fn=limits(FSIZE=20000),
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert result.returncode == 5
    assert path.read_text() == "earlier"
    assert list(tmp_path.iterdir()) == [path]
    (said,) = [line for line in messages(result) if "could not write" in line]
    assert str(path) in said and "ulimit -f" in said
    assert said.endswith("What was measured is lost.")
    assert not [line for line in messages(result) if "next: " in line]


def test_read_only_disk(tmp_path, trouble):
    before = in_namespaces(f"mount -t tmpfs -o ro none {shlex.quote(str(tmp_path))}")
    result = run([*before, *TOOL, f"--aprof-out-file={tmp_path}/p", "/bin/echo", "ran"])
    assert (result.returncode, result.stdout) == (1, b"")
    said = f"cannot write the profile to '{tmp_path}/p': the disk is read-only."
    assert said in messages(result)


@pytest.mark.parametrize("temporary_folder", [True, False])
def test_changed_root(temporary_folder, tmp_path, trouble):
    """The path of the profile does not exist there."""
    before = [] if os.geteuid() == 0 else in_namespaces("true")
    jail = tmp_path / "jail"
    jail.mkdir()
    if temporary_folder:
        (jail / "tmp").mkdir()
    result = run([*before, *TOOL, f"--aprof-out-file={tmp_path}/p", trouble, "chroot", jail])
    if result.returncode == 99:
        pytest.skip("may not change the root here")
    assert result.returncode == 5
    assert [p.name for p in tmp_path.iterdir()] == ["jail"]
    if temporary_folder:
        assert_whole(jail / "tmp" / "p", result, "exit")
        assert any("The profile is in '/tmp/p' instead." in line for line in messages(result))
    else:
        assert any("What was measured is lost." in line for line in messages(result))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become another user")
def test_user_who_may_not_write_there(tmp_path, trouble):
    name = f"aprof-test.{os.getpid()}.{tmp_path.parent.name}"
    result = run(
        [*TOOL, f"--aprof-out-file={tmp_path}/{name}", trouble, "setuid"],
        env={**os.environ, "TMPDIR": "/tmp"},
    )
    assert result.returncode == 5
    elsewhere = Path("/tmp") / name
    try:
        assert not list(tmp_path.iterdir())
        assert_whole(elsewhere, result, "exit")
        assert elsewhere.stat().st_uid == 65534
    finally:
        elsewhere.unlink(missing_ok=True)


def test_children_without_process_id_in_the_name(tmp_path, trouble):
    """Nobody's profile is lost, nor half of it: a child adds its number to the name."""
    children = 6
    path = tmp_path / "p"
    result = run([*TOOL, "-q", f"--aprof-out-file={path}", trouble, "fork", str(children)])
    assert result.returncode == 5
    assert_whole(path, result, "exit")
    others = [other for other in tmp_path.iterdir() if other != path]
    found = []
    for other in others:
        profiled = Profiled(result, [other])
        assert other.name == f"p.{profiled.lines('pid')[0][0]}"
        found += sizes(profiled.routine("work"), "rms")
    assert sorted(found) == list(range(1, children + 1))


def test_runs_at_the_same_time_with_the_same_name(tmp_path, trouble):
    """The last to finish has the name; each profile is of one run."""
    path = tmp_path / "p"
    command = [*map(str, TOOL), "-q", f"--aprof-out-file={path}", str(trouble)]
    processes = [subprocess.Popen(command) for _ in range(4)]
    assert [process.wait(timeout=60) for process in processes] == [5, 5, 5, 5]
    assert_whole(path, subprocess.CompletedProcess(command, 5), "exit")
    assert list(tmp_path.iterdir()) == [path]


def test_closed_files_do_not_matter(tmp_path, trouble):
    command = [*map(str, TOOL), "-q", "--aprof-out-file=profile", str(trouble)]
    script = " ".join(f"'{word}'" for word in command) + " <&- >&- 2>&-"
    result = run(["/bin/sh", "-c", script], cwd=tmp_path)
    assert_whole(tmp_path / "profile", result, "exit")


def ran_out_of_memory(
    path: Path, megabytes: int, command: Sequence[str | Path], *options: str
) -> int:
    """Runs out of it, and says so, and saves the profile. The bytes that could not be had."""
    result = run(
        [
            *TOOL,
            f"--aprof-out-file={path}",
            "--main-stacksize=500000000",
            *options,
            *command,
        ],
        preexec_fn=limits(AS=megabytes * MEGABYTE),
    )
    assert result.returncode == 1
    assert_whole(path, result, "out-of-memory")
    said = messages(result)[-3:]
    found = re.fullmatch(
        r"out of memory: could not get ([0-9,]+) more bytes for .+; the run ends here\.",
        said[0],
    )
    assert found is not None
    assert said[1:] == [
        "Is there a limit (ulimit -v)?",
        f"What was measured until then is in '{path}'.",
    ]
    return int(found[1].replace(",", ""))


def test_out_of_memory_in_shadow_memory(tmp_path, trouble):
    """The program has its memory at once; that the tool needs twice as much for timestamps, it
    learns as the program goes through it: also what it keeps in reserve is soon gone. Unless it
    packs what is idle.
    """
    path = tmp_path / "p"
    command = [trouble, "touch", str(120 * MEGABYTE)]
    assert ran_out_of_memory(path, 400, command, "--pack-every=1000000") < 5 * MEGABYTE
    result = run(
        [*TOOL, f"--aprof-out-file={path}", *command], preexec_fn=limits(AS=400 * MEGABYTE)
    )
    assert result.returncode == 5
    assert_whole(path, result, "exit")


def test_out_of_memory_in_the_middle_of_a_call(tmp_path, trouble):
    """The shadow stack doubles, beyond what the tool keeps in reserve: the call that was being made
    counts as pending, or not at all."""
    assert ran_out_of_memory(tmp_path / "p", 500, [trouble, "deep", "2000000"]) > 50 * MEGABYTE


@pytest.mark.parametrize("contexts", ["no", "yes"])
def test_out_of_memory_that_the_reserve_helps_over(contexts, tmp_path, trouble):
    """For as long as it takes to come to a good place to stop."""
    command = [trouble, "deep", "2000000"]
    ran_out_of_memory(tmp_path / "p", 350, command, f"--contexts={contexts}")


def test_too_little_memory_to_start(tmp_path, trouble):
    result = run(
        [*TOOL, "--aprof-out-file=p", trouble],
        cwd=tmp_path,
        preexec_fn=limits(AS=2**24),
    )
    assert result.returncode != 0
    assert result.stderr
    assert not list(tmp_path.iterdir())


def test_longest_command_line(tmp_path, trouble):
    """Linux gives 6 MB to arguments and environment together, 128 kB to each string."""
    odd = "it's \\ a\nline " + "x" * 1000
    arguments = ["none", "", odd, *(f"{i:06}" + "a" * 120_000 for i in range(40))]
    environment = {**os.environ, **{f"V{i}": "b" * 100_000 for i in range(8)}}

    def no_stack_limit() -> None:
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        resource.setrlimit(resource.RLIMIT_STACK, (hard, hard))

    command = [*TOOL, "-q", f"--aprof-out-file={tmp_path}/p", trouble, *arguments]
    try:
        result = run(command, env=environment, preexec_fn=no_stack_limit)
    except OSError:
        pytest.skip("the hard limit of the stack is too low")
    assert result.returncode == 5
    assert_whole(tmp_path / "p", result, "exit")
    (record,) = Profiled(result, [tmp_path / "p"]).lines("command")
    escapes = {"\\\\": "\\", "\\n": "\n", "\\r": "\r"}
    written = re.sub(r"\\[\\nr]", lambda found: escapes[found[0]], " ".join(record))
    quoted = "'" + odd.replace("'", "'\\''") + "'"
    assert written == " ".join([str(trouble), "none", "''", quoted, *arguments[3:]])
