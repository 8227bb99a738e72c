"""cilk/cilk.h: Cilk programs compiled by every compiler there is run natively as their serial elision
does, and have the markers that cilkshadow looks for."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from running import BUILD, TESTS

SOURCE = TESTS.parent
PROGRAMS = TESTS / "programs/cilk"
INCLUDES = SOURCE / "cilkshadow/include"
ELISION = ["-Dcilk_spawn=", "-Dcilk_sync=", "-Dcilk_scope=", "-Dcilk_for=for"]
LEVELS = ["-O0", "-O1", "-O2", "-O3"]
COMPILERS = {
    suffix: [name for name in names if shutil.which(name)]
    for suffix, names in {".c": ["gcc", "clang"], ".cpp": ["g++", "clang++"]}.items()
}
WHOLE_MATRIX = {"cilk_features.c", "cilk_features.cpp", "fib.c", "bfs.cpp"}
MARKER = re.compile(r"nopl +0x5c1b000(\d)\(%rax,%rax,1\)")
SPAWN_BEGIN, SPAWN_END, SPAWN, SYNC, SCOPE_BEGIN, SCOPE_END = "123456"
FOR_BEGIN, FOR_ITERATION, FOR_END = "789"


def run(*command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert result.returncode == 0, f"{command}\n{result.stderr}"
    return result.stdout


def compile(compiler, source, program, *flags):
    """Warnings are errors: the keywords must not cause any."""
    strict = [
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wshadow",
        "-Wno-unused-function",
        "-Wno-unused-value",
    ]
    run(compiler, "-g", *strict, *flags, f"-I{INCLUDES}", source, "-o", program, "-lm")
    return program


def markers(program):
    return MARKER.findall(run("objdump", "-d", program))


def function(program, name):
    """The machine code of a function."""
    code = run("objdump", "-d", "--no-show-raw-insn", program)
    return re.search(rf"^\w+ <{name}>:\n(.*?)\n\n", code + "\n\n", re.M | re.S)[1]


def sources():
    return sorted([*PROGRAMS.glob("*.c"), *PROGRAMS.glob("*.cpp"), *PROGRAMS.glob("features/*.c*")])


def builds(source):
    """What a program is compiled with: all that there is, or each compiler and each level once."""
    compilers = COMPILERS[source.suffix]
    if source.name in WHOLE_MATRIX:
        return [(compiler, level) for compiler in compilers for level in LEVELS]
    first = sources().index(source)
    return [(compiler, LEVELS[(first + 2 * i) % 4]) for i, compiler in enumerate(compilers)]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """built[source name][compiler, level]: the program; [source name]["elision"]: without the header."""
    folder = tmp_path_factory.mktemp("cilk")
    jobs = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for source in sources():
            for compiler, level in builds(source):
                program = folder / f"{source.name}.{compiler}{level}"
                jobs[source.name, (compiler, level)] = pool.submit(
                    compile, compiler, source, program, level
                )
            compiler = COMPILERS[source.suffix][0]
            program = folder / f"{source.name}.elision"
            jobs[source.name, "elision"] = pool.submit(
                compile, compiler, source, program, "-O1", *ELISION
            )
    programs: dict[str, dict] = {}
    for (name, build), job in jobs.items():
        programs.setdefault(name, {})[build] = job.result()
    return programs


@pytest.mark.parametrize("name", [source.name for source in sources()])
def test_programs_do_what_their_serial_elision_does(built, name):
    expected = run(built[name]["elision"])
    assert len(expected.splitlines()) >= 2
    for program in built[name].values():
        assert run(program) == expected, program


def test_known_results(built):
    last = {name: run(built[name]["elision"]).split()[-1] for name in built}
    assert last["fib.c"] == "6765"
    assert last["nqueens.c"] == "4"
    assert last["matmul.c"] == last["strassen.c"]
    assert last["quicksort.c"] == last["mergesort.c"]
    mergesort = built["mergesort.c"]["elision"]
    assert run(mergesort, 999, "serial") == run(mergesort, 999, "parallel")


def test_the_elision_has_no_markers(built, tmp_path):
    for name in ("fib.c", "bfs.cpp"):
        assert markers(built[name]["elision"]) == []
        compiler = COMPILERS[Path(name).suffix][0]
        serial = compile(compiler, PROGRAMS / name, tmp_path / name, "-O2", "-DCILKSHADOW_SERIAL")
        assert markers(serial) == []


def test_c_has_a_marker_for_each_keyword(built):
    for build, program in built["fib.c"].items():
        assert build == "elision" or markers(program) == [SPAWN, SYNC], build
    for build, program in built["heat.c"].items():
        expected = {FOR_BEGIN, FOR_ITERATION, FOR_END}
        assert build == "elision" or set(markers(program)) == expected, build


def test_cxx_marks_the_end_also_for_exceptions(built):
    for build, program in built["bfs.cpp"].items():
        if build != "elision":
            kinds = markers(program)
            assert kinds.count(SPAWN_BEGIN) == 1, build
            assert kinds.count(SPAWN_END) == 2, build
            assert kinds.count(SYNC) == 1, build


def test_each_marker_has_the_line_of_its_keyword(built):
    source = (PROGRAMS / "fib.c").read_text().splitlines()
    lines = [1 + i for i, text in enumerate(source) if "cilk_s" in text]
    for build, program in built["fib.c"].items():
        if build == "elision":
            continue
        addresses = [
            line.split(":")[0].strip()
            for line in run("objdump", "-d", program).splitlines()
            if MARKER.search(line)
        ]
        places = run("addr2line", "-e", program, *addresses).splitlines()
        assert [int(re.search(r":(\d+)", place)[1]) for place in places] == lines, build


ONCE = """
#include <cilk/cilk.h>
static int calls;
static void count(void) { ++calls; }
static int once(void) { cilk_spawn count(); cilk_sync; return calls; }
int main(void) { return once() - 1; }
"""


@pytest.mark.parametrize("compiler", [*COMPILERS[".c"], *COMPILERS[".cpp"]])
@pytest.mark.parametrize("level", LEVELS)
def test_what_spawns_is_not_inlined(compiler, level, tmp_path):
    """Not even if it is called once, and nothing else forbids it (in C gcc has its pragma, too)."""
    source = tmp_path / ("once.cpp" if compiler in COMPILERS[".cpp"] else "once.c")
    source.write_text(ONCE)
    program = compile(compiler, source, tmp_path / "once", level)
    run(program)
    assert re.search(r"call +\w+ <(_ZL4once|once)", function(program, "main"))


LEAF = """
#include <cilk/cilk.h>
static int calls;
static int twice(int x) { calls += x; return 2 * x; }
static inline int thrice(int x) { calls += x; return 3 * x; }
int main(int argc, char** argv) {
  (void)argv;
  int x = cilk_spawn twice(argc);
  int y = cilk_spawn thrice(argc);
  cilk_spawn thrice(argc);
  cilk_sync;
  return x + y - 5 * argc;
}
"""


@pytest.mark.parametrize("compiler", COMPILERS[".c"])
@pytest.mark.parametrize("level", LEVELS)
def test_spawned_leaves_stay_calls_in_c(compiler, level, tmp_path):
    (tmp_path / "leaf.c").write_text(LEAF)
    flags = run(BUILD / "cilkshadow/cilkshadow-config", "--cflags", "--compiler", compiler).split()
    program = tmp_path / "leaf"
    run(compiler, level, *flags, tmp_path / "leaf.c", "-o", program)
    run(program)
    called = re.findall(r"call +\w+ <(t\w+ice)>", function(program, "main"))
    assert called == ["twice", "thrice", "thrice"]


@pytest.mark.parametrize("compiler", COMPILERS[".c"])
def test_break_out_of_a_scope_is_refused_in_c(compiler, tmp_path):
    code = "#include <cilk/cilk.h>\nint main(void) {\n  for (int i = 0; i < 2; ++i)\n    cilk_scope { break; }\n}\n"
    (tmp_path / "break.c").write_text(code)
    program = compile(compiler, tmp_path / "break.c", tmp_path / "break")
    result = subprocess.run([program], capture_output=True, text=True)
    assert result.returncode == -6
    assert "break.c:4: in C no `break` can leave a cilk_scope" in result.stderr


@pytest.mark.parametrize(
    ("suffix", "expression"),
    [(".c", e) for e in ("1 + %s", "-%s", "n * %s")]
    + [(".cpp", e) for e in ("1 + %s", "-%s", "!%s", "n && %s", "n || %s", "(char)%s")],
)
def test_operators_before_the_keyword_are_refused(suffix, expression, tmp_path):
    """They would be applied to what the keyword stands for, not to the call's result."""
    source = tmp_path / f"operator{suffix}"
    for compiler in COMPILERS[suffix]:
        for spawned, status in ("f(n)", 0), ("cilk_spawn f(n)", 1):
            source.write_text(
                "#include <cilk/cilk.h>\nint f(int x);\n"
                f"int g(int n) {{ return {expression % spawned}; }}\n"
            )
            command = [compiler, "-c", f"-I{INCLUDES}", source, "-o", tmp_path / "operator.o"]
            result = subprocess.run(command, capture_output=True, text=True)
            assert result.returncode == status, f"{command}\n{result.stderr}"


@pytest.mark.parametrize("compiler", COMPILERS[".cpp"])
def test_cxx_without_exceptions_is_told_so(compiler, tmp_path):
    (tmp_path / "empty.cpp").write_text("#include <cilk/cilk.h>\nint main() {}\n")
    command = [compiler, "-fno-exceptions", f"-I{INCLUDES}", tmp_path / "empty.cpp"]
    result = subprocess.run([*command, "-fsyntax-only"], capture_output=True, text=True)
    assert result.returncode != 0 and "compile without -fno-exceptions" in result.stderr
    run(*command, "-fsyntax-only", "-DCILKSHADOW_SERIAL")


@pytest.mark.parametrize("compiler", COMPILERS[".cpp"])
def test_noexcept_functions_may_spawn_without_warning(compiler, tmp_path):
    source = tmp_path / "noexcept.cpp"
    source.write_text(
        "#include <cilk/cilk.h>\nint f(int x) { return x; }\n"
        "struct S { ~S() { cilk_spawn f(1); } };\n"
        "int main() noexcept { S s; int x = cilk_spawn f(0); cilk_sync; return x; }\n"
    )
    run(compile(compiler, source, tmp_path / "noexcept"))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("compiler", COMPILERS[".c"])
def test_spawned_calls_may_initialise_variables_without_warning(compiler, level, tmp_path):
    source = tmp_path / "initialised.c"
    source.write_text(
        "#include <cilk/cilk.h>\nstatic void f(int* x) { *x = 1; }\n"
        "static int g(int* x) { return *x = 1; }\n"
        "int main(void) { int x, y; cilk_spawn f(&x); int z = cilk_spawn g(&y);\n"
        "  cilk_sync; return x + y + z - 3; }\n"
    )
    run(compile(compiler, source, tmp_path / "initialised", level))


@pytest.mark.parametrize("compiler", COMPILERS[".cpp"])
def test_headers_may_be_included_within_extern_c(compiler, tmp_path):
    source = tmp_path / "within.cpp"
    headers = [path.name for path in INCLUDES.glob("cilk/*.h") if "cilkshadow" not in path.name]
    for header in sorted(headers):
        source.write_text(
            f'extern "C" {{\n#include <cilk/{header}>\n#include <cilk/cilk.h>\nvoid f(int) {{}}\n}}\n'
            "int main() { cilk_spawn f(1); cilk_sync; }\n"
        )
        compile(compiler, source, tmp_path / "within")


@pytest.mark.parametrize("standard", ["c++11", "c++14", "c++17", "c++20"])
@pytest.mark.parametrize("compiler", COMPILERS[".cpp"])
def test_cxx_standards(compiler, standard, tmp_path):
    source = PROGRAMS / "features/cilk_features.cpp"
    run(compiler, f"-std={standard}", "-fsyntax-only", f"-I{INCLUDES}", source)


@pytest.mark.parametrize("standard", ["c99", "gnu17"])
@pytest.mark.parametrize("compiler", COMPILERS[".c"])
def test_c_standards(compiler, standard, tmp_path):
    source = PROGRAMS / "features/cilk_features.c"
    run(compiler, f"-std={standard}", "-fsyntax-only", f"-I{INCLUDES}", source)


def test_config():
    config = BUILD / "cilkshadow/cilkshadow-config"
    includes = run(config, "--includes").strip()
    assert (Path(includes) / "cilk/cilk.h").exists()
    assert run(config, "--cflags", "--compiler=gcc") == f"-I{includes} -g\n"
    for_clang = run(config, "--cflags", "--compiler", "clang").split()
    assert "-fno-inline" in for_clang and "-gdwarf-4" in for_clang
    assert run(config, "--version").startswith("cilkshadow-config (aprof-trms) ")
    assert run(config, "--help").startswith("usage: cilkshadow-config ")
    for wrong in (["--cflags", "--compiler=icc"], ["--libs"], [], ["--cflags", "--compiler"]):
        result = subprocess.run([config, *wrong], capture_output=True, text=True)
        assert result.returncode == 2, wrong
        assert result.stderr.startswith("cilkshadow-config: ") and result.stderr.count("\n") == 1


def test_pkg_config():
    environment = {**os.environ, "PKG_CONFIG_PATH": str(BUILD / "cilkshadow")}
    command = ["pkg-config", "--cflags-only-I", "cilkshadow"]
    flags = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert Path(flags.stdout.strip().removeprefix("-I"), "cilk/cilk.h").exists()


def test_every_header_is_installed():
    lines = (SOURCE / "cilkshadow/Makefile.am").read_text()
    listed = set(re.findall(r"cilkshadow/include/(cilk/\w+\.h)", lines))
    assert listed == {str(path.relative_to(INCLUDES)) for path in INCLUDES.glob("cilk/*.h")}
