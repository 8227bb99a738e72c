"""Distinguishes the user's own routines from the system's.

A routine is the system's if its object is in a system's library folder, is the run-time library of a
language or an allocator wherever it lies, or is no file; or if its source is the system's (headers of
installed libraries, the standard libraries of Rust and Go). In an object with debug information, a
routine without a source file is the compiler's or the linker's. What was found below the user's own
source folders is the user's own, wherever the object is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable

from aprofplot.model import Profile, Routine, RoutineKey

# Programs are what the user ran, also those in folders of libraries, as /usr/lib/llvm-14/bin/clang.
_SYSTEM_OBJECT = re.compile(
    r"(/usr(/local)?|/nix/store/[^/]*|/snap/[^/]*/[^/]*/usr|/app)?/(lib|lib32|lib64|libexec|libx32)/"
    r"(.*/)?[^/]*\.so\b[^/]*$"
    r"|(.*/)?(ld-linux|ld-musl|ld-)[^/]*\.so[^/]*$"
    r"|(.*/)?(vgpreload_|linux-vdso|linux-gate)"
    # conda, Spack and compilers in /opt bring their own.
    r"|(.*/)?lib(c|m|dl|rt|pthread|stdc\+\+|c\+\+|c\+\+abi|unwind|gcc_s|gfortran|quadmath|gomp|i?omp5?|tbb"
    r"|tbbmalloc(_proxy)?|jemalloc|tcmalloc(_minimal)?|mimalloc)(-[\d.]+)?\.so[.\d]*$"
    r"|\?\?\?$|$"
)
_C_LIBRARY = re.compile(r"(.*/)?(libc(-[\d.]+)?\.so|ld-musl[^/]*\.so|libc\.musl[^/]*\.so)[.\d]*$")
_DYNAMIC_LINKER = re.compile(r"(.*/)?ld-[^/]*\.so[^/]*$")
_NAMELESS = re.compile(r"\+0x[0-9a-f]+$")
_START = re.compile(r"_start|__libc_start_(main|call_main)\b.*")
_SYSTEM_SOURCE = re.compile(
    r"/usr/(local/)?(include|lib|src)/|/build/(glibc|gcc)-|(\.\./)+(sysdeps|csu|libgcc|nptl)/"
    r"|/rustc/[0-9a-f]+/library/|.*/rustlib/src/rust/library/|/usr/local/go/src/"
)


def is_system_object(path: str) -> bool:
    """Whether an object is of the system: in one of its folders of libraries, a run-time library, or no file."""
    return _SYSTEM_OBJECT.match(path) is not None


def is_c_library(path: str) -> bool:
    """Whether an object is the C library: glibc's or musl's."""
    return _C_LIBRARY.match(path) is not None


def _is_start_up(routine: Routine) -> bool:
    """Whether it is the dynamic linker's, or what calls main: nobody asks what these cost."""
    return bool(_DYNAMIC_LINKER.match(routine.object) or _START.fullmatch(routine.name))


def start_up_routines(profile: Profile) -> frozenset[RoutineKey]:
    """Those of `profile`, also the entry of a stripped program: what calls the C library's first function."""
    found = {of.routine.key for of in profile.routines if _is_start_up(of.routine)}
    found |= {edge.caller.key for edge in profile.calls if _START.fullmatch(edge.callee.name)}
    return frozenset(found)


def is_nameless(routine: Routine) -> bool:
    """Whether its name is only where it is, as `app+0x1234`: it has no symbol."""
    return not routine.file and _NAMELESS.search(routine.name) is not None


def is_system_source(file: str) -> bool:
    """Whether a source file is the system's: a header of an installed library, or unknown."""
    return not file or _SYSTEM_SOURCE.match(_plain(file)) is not None


def _plain(file: str) -> str:
    """An absolute path without `..`: clang's are /usr/bin/../lib/gcc/..."""
    return os.path.normpath(file) if file.startswith("/") else file


def own_routines(
    routines: Iterable[Routine], below_source_path: Collection[str] = ()
) -> frozenset[RoutineKey]:
    """The user's own of `routines`. `below_source_path`: files of theirs that are in folders which
    the user named."""
    # A call graph has each routine at each of its edges.
    listed = {routine.key: routine for routine in routines}.values()
    with_debug_info = {routine.object for routine in listed if routine.file}
    return frozenset(
        routine.key
        for routine in listed
        if (routine.file and routine.file in below_source_path)
        or (
            not is_system_object(routine.object)
            and not _SYSTEM_SOURCE.match(_plain(routine.file))
            and (routine.file != "" or routine.object not in with_debug_info)
        )
    )
