"""kernelRead and kernelWrite: for every system call exactly the cells that the kernel reads and
stores, and mappings that bring data, or forget it. Input sizes are cells of 4 bytes."""

from __future__ import annotations

import os
import shutil

import pytest

from running import report_command, sizes


@pytest.fixture
def folder(tmp_path):
    """An empty one, for a program to run in."""
    path = tmp_path / "folder"
    path.mkdir()
    return path


def measured(run, prefix):
    """name without prefix: (RMS, TRMS, thread-induced, external), the sizes of its activations
    ascending if there are several."""
    assert run.process.returncode == 0, run.process.stderr.decode()
    found = {}
    for routine in run.report()["routines"]:
        if routine["name"].startswith(prefix):
            rms, trms = ([*sizes(routine, metric)] for metric in ("rms", "trms"))
            found[routine["name"].removeprefix(prefix)] = (
                rms[0] if len(rms) == 1 else rms,
                trms[0] if len(trms) == 1 else trms,
                routine["induced"]["thread"],
                routine["induced"]["external"],
            )
    return found


# What the kernel stores, in bytes; in a list when scattered, each part in cells of its own.
DELIVERED = {
    "read": 400,
    "read_at_end": 50,
    "pread_unaligned": [2, 8],  # the second half of the first cell, and two more
    "readv": [6, 15],
    "preadv": [6, 15],
    "preadv2": [6, 15],
    "aio_read": [70, 32],  # the data and the event
    "process_vm_readv": [6, 64],
    "process_vm_writev": [6, 15],
    "vmsplice": 40,
    "sendfile_offset": [8, 8],  # the offset, and what was read to see that it was sent
    "copy_file_range": 0,
    "splice_offset": 8,
    "copy_offsets": [8, 8],
    "eventfd": 8,
    "timerfd": 8,
    "signalfd": 128,
    "inotify": 32,  # the event, and a name of up to 16
    "recv": 70,
    "recv_truncated": 40,
    "recvfrom": [70, 8],  # the data and the sender's address
    "recvmsg": [5, 7, 8, 32],  # two pieces, address, time stamp
    "recvmmsg": [9, 30],
    "msgrcv": 28,
    "getsockname": 8,
    "getsockopt": 4,
    "socketpair": 8,
    "pipe": 8,
    "poll": [2, 2, 2],  # revents of each entry
    "ppoll": [2, 2, 2],
    "epoll_wait": 2 * 12,
    "getdents64": 3 * 24,  # of ".", ".." and "a"
    "stat": 144,
    "fstat": 144,
    "newfstatat": 144,
    "statx": 256,
    "fstatfs": 120,
    "readlink": 10,
    "getcwd": None,  # as long as the path
    "getrandom": 40,
    "fionread": 4,
    "tcgets": 36,
    "clock_gettime": 16,
    "uname": 6 * 65,
    "sched_getaffinity": None,  # as many words as the kernel has CPUs for
    "wait4": [4, 144],  # status, resource usage
    "sigaction_old": 32,
    "sigprocmask_old": 8,
    "prctl_get_name": 16,
    "prlimit": 16,
    "sysinfo": 112,
    "times": 32,
    "futex_wake": 0,
    "futex_lock_pi": 4,
    "thread_end": 4,
}


def test_what_system_calls_deliver(compile, profile, folder):
    run = profile([compile("syscalls.c")], cwd=folder)
    scans = measured(run, "scan_")
    lines = run.process.stdout.decode().splitlines()
    printed = {name: int(in_bytes) for name, in_bytes in map(str.split, lines)}
    delivered = {name: parts for name, parts in DELIVERED.items() if name in printed}
    assert list(printed) == list(delivered)
    assert DELIVERED.keys() - delivered.keys() <= {"tcgets"}  # there may be no pseudo-terminals
    assert printed["getcwd"] == len(os.fsencode(folder)) + 1
    for name, parts in delivered.items():
        if not isinstance(parts, list):
            parts = [printed[name] if parts is None else parts]
        assert sum(parts) == printed[name]
        cells = sum(-(-part // 4) for part in parts)
        # All 128 cells of the buffer are scanned once.
        assert (name, *scans[name]) == (name, 128, 128, 0, cells)
    assert scans["msg_len"] == (
        2,
        2,
        0,
        2,
    )  # of the two messages that recvmmsg received


def test_what_a_signal_brings_its_handler(compile, profile, folder):
    """It lies on the stack, where the interrupted thread stored before."""
    run = profile([compile("syscalls.c")], cwd=folder)
    assert measured(run, "scan_")["siginfo"] == (32, 32, 0, 3 * 32)


def test_the_same_data_by_any_system_call(compile, profile):
    """n times 18 cells into a buffer of 100, all of which are read each time, n from 1 to 5."""
    run = profile([compile("syscalls_in_place.c")])
    expected = (
        100,
        [100 + 18 * (n - 1) for n in range(1, 6)],
        0,
        18 * (1 + 2 + 3 + 4 + 5),
    )
    calls = ("read", "readv", "recv", "recvmsg", "recvmmsg")
    assert measured(run, "receive_by_") == {call: expected for call in calls}


def test_what_system_calls_take(compile, profile):
    """A routine whose system call reads what another thread stored has that as its input."""
    run = profile([compile("syscalls_in_place.c")])
    of_thread = {
        "write": 100,
        "part": 3,  # bytes 2 to 11
        "twice": 100,
        "own": 0,  # stored by the routine itself
        "pwrite": 100,
        "writev": 2 + 4,
        "pwritev": 2 + 4,
        "pwritev2": 2 + 4,
        "vmsplice": 2 + 4,
        "sendto": 100,
        "sendmsg": 2 + 4,
        "sendmmsg": 2 + 4,
        "msgsnd": 2 + 5,  # type and text
        "open": 3,  # the path with its zero
        "sendfile": 2,  # the offset
        "process_vm_readv": 2 + 4,
        "process_vm_readv_partly": 2 + 1,  # there is room for 10 bytes
        "futex_wake": 0,  # only a name
        "futex_wait": 1,
    }
    expected = {name: (cells, cells, cells, 0) for name, cells in of_thread.items()}
    # 10 times 100 cells are read into one buffer and written from it.
    expected["delivered"] = (100, 1000, 0, 1000)
    assert measured(run, "take_") == expected


def test_mappings(compile, profile, folder):
    n = 2500  # cells scanned
    fresh = (n, n, 0, 0)
    external = (n, n, 0, n)
    assert measured(profile([compile("mappings.c")], cwd=folder), "scan_") == {
        "file_private": external,
        "file_shared": external,
        "file_write_only": external,  # which the processor lets read
        "file_large": (1 << 18, 1 << 18, 0, 1 << 18),
        "file_own_write": (n, n, 0, n - 100),
        "memfd": external,
        "posix_shm": external,
        "anonymous": fresh,
        "anonymous_shared": fresh,
        "dev_zero": fresh,
        "heap_shrunk_and_grown": fresh,
        # Not readable when it was mapped; a change of protection is no new data.
        "protected_file": external,
        "protected_between": fresh,
        "protected_anonymous": fresh,
        "file_over_own": external,
        "anonymous_over_file": fresh,
        "anonymous_over_thread": fresh,
        "unmapped_thread": fresh,
        "unmapped_kernel": fresh,
        # What moves keeps its history, in the activation that moves it, too.
        "moved_thread": (n, n, n, 0),
        "moved_kernel": external,
        "moved_between": fresh,
        "moved_from": fresh,
        "grown_anonymous": (2 * n, 2 * n, 0, 0),
        "grown_file": (2 * n, 2 * n, 0, 2 * n),
        # MADV_DONTNEED: zeroes, or the file's contents again.
        "dropped_thread": fresh,
        "dropped_anonymous": (2 * n, 2 * n, 0, 0),
        "dropped_file": (2 * n, 2 * n, 0, 2 * n),
        "advised": fresh,
        "shmat": external,
        "shmat_own": fresh,
        "shmat_again": external,
        "shmdt": fresh,
    }


def test_a_program_is_not_the_dynamic_linker_by_its_name(compile, profile, tmp_path):
    """ldconfig, linked statically, maps objects as its data."""
    program = tmp_path / "ldscan"
    shutil.copy(compile("scan.c", "-static"), program)
    assert measured(profile([program]), "sum_mapped")[""] == (2000, 2000, 0, 2000)


def test_io_uring_is_said_not_to_count(compile, profile):
    program = compile("syscalls_in_place.c")
    run = profile([program, "io_uring"], "-v")
    if run.process.returncode != 0:
        pytest.skip("no io_uring here")
    said = "io_uring was set up: the data that it delivers does not count as external input"
    assert f"1 {said}".encode() in run.process.stderr
    assert f"note io-uring 1 {said}\n" in run.paths[0].read_text()


def test_memory_at_two_addresses_is_said(compile, profile):
    """A ring buffer's pages twice in a row, and a segment of System V attached twice."""
    run = profile([compile("double_mappings.c")], "-v")
    said = "2 mappings show memory that is at another address, too: what a thread stores under one"
    assert said.encode() in run.process.stderr
    assert f"\nnote double-mappings {said}" in run.paths[0].read_text()
    assert said in report_command("aprof-report", run.paths[0]).stdout.decode()
