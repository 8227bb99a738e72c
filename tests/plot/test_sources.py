"""Source files: those of the profiled program are read, and no other file of the reader's."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from builder import Builder, Table, with_end
from work_span_builder import Site, WorkSpan

from aprofplot.commands import cilkshadow_report, report
from aprofplot.model import Origin
from aprofplot.reports.debug_info import named_files
from aprofplot.reports.sources import Sources, find_line

CODE = "int twice(int n) { return 2 * n; }\nint main(void) { return twice(0); } // MINE\n"
SECRET = "// PRIVATE\n" * 9


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with app.c, lib/part.c, and `app` made of them."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "lib").mkdir()
    (folder / "app.c").write_text(CODE)
    (folder / "lib" / "part.c").write_text("int part(void) { return 1; }\n")
    build(folder, "gcc", "-g", "-o", "app", "app.c", "lib/part.c")
    return folder


def build(folder, *command):
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def here():
    """The options of a profile made on this machine by this user."""
    return (f"host {os.uname().nodename}", f"user {os.geteuid()}")


class TestNamedFiles:
    COMPILERS = {
        **{f"gcc DWARF {n}": ["gcc", f"-gdwarf-{n}"] for n in (2, 3, 4, 5)},
        "gcc DWARF 5, 64 bits": ["gcc", "-gdwarf-5", "-gdwarf64"],
        "gcc, compressed": ["gcc", "-g", "-gz"],
        "gcc, split": ["gcc", "-g", "-gsplit-dwarf"],
        "clang": ["clang", "-g"],
        "clang DWARF 4": ["clang", "-gdwarf-4"],
    }

    @pytest.mark.parametrize("compiler", COMPILERS.values(), ids=COMPILERS)
    def test_of_c(self, compiler, built, tmp_path):
        """All units, each compiled in its folder."""
        build(built, *compiler, "-o", str(tmp_path / "out"), "app.c", "lib/part.c")
        named = named_files(str(tmp_path / "out"))
        assert str(built / "app.c") in named and str(built / "lib" / "part.c") in named
        for other in ("lib/app.c", "part.c", "../app.c", "app.h", "secret.c"):
            assert os.path.normpath(built / other) not in named
        assert "app.c" not in named and "/app.c" not in named

    def test_of_a_path_with_dots(self, built, tmp_path):
        build(built / "lib", "gcc", "-g", "-o", str(tmp_path / "out"), "../app.c", "part.c")
        assert str(built / "app.c") in named_files(str(tmp_path / "out"))

    def test_of_rust_and_go(self, tmp_path):
        (tmp_path / "a.rs").write_text("fn main() {}\n")
        build(tmp_path, "rustc", "-g", "-o", "r", "a.rs")
        (tmp_path / "a.go").write_text("package main\nfunc main() {}\n")
        environment = {**os.environ, "GOCACHE": str(tmp_path / "cache")}
        go = ["go", "build", "-o", "g", "a.go"]
        subprocess.run(go, cwd=tmp_path, env=environment, check=True, capture_output=True)
        for program, file in (("r", "a.rs"), ("g", "a.go")):
            named = named_files(str(tmp_path / program))
            assert str(tmp_path / file) in named and str(tmp_path / "b.rs") not in named

    def test_of_stripped_objects(self, built, tmp_path):
        """Debug information in a file of its own beside it."""
        for name in ("app", "app.debug"):
            shutil.copy(built / "app", tmp_path / name)
        build(tmp_path, "objcopy", "--only-keep-debug", "app.debug")
        build(tmp_path, "strip", "-g", "app")
        assert str(built / "app.c") not in named_files(str(tmp_path / "app"))
        build(tmp_path, "objcopy", "--add-gnu-debuglink=app.debug", "app")
        assert str(built / "app.c") in named_files(str(tmp_path / "app"))

    def test_of_what_is_no_object(self, built, tmp_path):
        (tmp_path / "empty").touch()
        for path in (tmp_path / "empty", built / "app.c", built, tmp_path / "none", "bad\0name"):
            assert str(built / "app.c") not in named_files(str(path))

    def test_of_damaged_objects(self, built, tmp_path):
        """Wherever it is cut off, or has other bytes: perhaps none, but no failure."""
        whole = (built / "app").read_bytes()
        path = tmp_path / "damaged"
        for at in range(0, len(whole), len(whole) // 60):
            for damaged in (whole[:at], whole[:at] + b"\xff" * 40 + whole[at + 40 :]):
                path.write_bytes(damaged)
                named_files(str(path))


class TestSources:
    @pytest.fixture
    def tree(self, tmp_path):
        """src/app/f.c, and private files beside src."""
        place = tmp_path / "src" / "app"
        place.mkdir(parents=True)
        (place / "f.c").write_text(CODE)
        (tmp_path / "private.c").write_text(SECRET)
        return tmp_path / "src"

    def test_below_a_folder_by_the_end_of_its_path(self, tree):
        sources = Sources([str(tree)], made_here=False)
        found = sources.find("/bin/app", "/build/xyz/app/f.c")
        assert (found.path, found.named) == (str(tree / "app/f.c"), True)
        assert sources.places("/a/../b.c") == (f"{tree}/a/b.c", f"{tree}/b.c")

    def test_nothing_outside_of_the_folder(self, tree):
        private = tree.parent / "private.c"
        (tree / "link.c").symlink_to(private)
        (tree / "up").symlink_to(tree.parent)
        (tree / "inside.c").symlink_to(tree / "app" / "f.c")
        sources = Sources([str(tree)], made_here=True)
        for file in (str(private), "../private.c", "link.c", "up/private.c", "app/../../private.c"):
            assert sources.find("/bin/app", file) is None
        assert sources.find("/bin/app", "inside.c").lines[0] == CODE.splitlines()[0]

    def test_the_folder_may_be_a_link(self, tree, tmp_path):
        (tmp_path / "other").symlink_to(tree)
        assert Sources([str(tmp_path / "other")], False).find("/bin/app", "f.c") is None
        assert Sources([str(tmp_path / "other")], False).find("/bin/app", "app/f.c") is not None

    @pytest.mark.parametrize(
        "name", ["id_rsa", "notes.txt", "settings.json", ".netrc", "key.pem", "core", "a.c.orig"]
    )
    def test_only_names_of_source_files(self, name, tree):
        (tree / name).write_text(SECRET)
        assert Sources([str(tree)], made_here=False).find("/bin/app", name) is None

    def test_headers_without_a_suffix(self, tree):
        (tree / "include").mkdir()
        (tree / "include" / "vector").write_text(CODE)
        assert Sources([str(tree)], False).find("/bin/app", "include/vector") is not None

    @pytest.mark.parametrize("content", [b"\0\1", b"a\x1b[31m", b"\x7fELF"])
    def test_only_text(self, content, tree):
        (tree / "binary.c").write_bytes(content)
        sources = Sources([str(tree)], made_here=False)
        for name in ("binary.c", ".", "missing.c", "bad\0name.c"):
            assert sources.find("/bin/app", name) is None

    def test_where_the_debug_information_says(self, built):
        sources, app = Sources([], made_here=True), str(built / "app")
        found = sources.find(app, str(built / "app.c"))
        assert (found.path, found.named) == (str(built / "app.c"), False)
        assert sources.find(app, f"{built}/lib/../app.c").path == str(built / "app.c")
        assert sources.find("/bin/sh", str(built / "app.c")) is None
        assert sources.find(app, "app.c") is None  # wherever the reader happens to be

    def test_why_there_is_none(self, built, tmp_path):
        def missing(sources, elf, file):
            return find_line(sources, elf, file, 1)["missing"]

        mine, app = Sources([], made_here=True), str(built / "app")
        (built / "other.c").write_text(SECRET)
        assert "does not name" in missing(mine, app, str(built / "other.c"))
        assert "was not found." in missing(mine, app, str(built / "none.c"))
        assert "another machine" in missing(Sources([], False), app, str(built / "app.c"))
        assert "below --source-path" in missing(Sources([str(tmp_path)], True), app, "none.c")


def profiles(folder, elf, file, options):
    """One of each tool, of a routine of `elf` that is said to be in `file`."""
    triples = ((1, 10, 10),) * 3
    made = WorkSpan(sites=[Site(0, 1, 0, triples)], routines=[("main", 2)], files=[str(file)])
    made.options = (*made.options, *options)
    text = made.text().rpartition("end ")[0].replace("/bin/quicksort", str(elf))
    (folder / "c").write_text(with_end(text))
    builder = Builder(
        routines=[("main", 1, 1, 2)],
        objects=[str(elf)],
        files=[str(file)],
        tables=[Table(1, [(1, 1, 2, 2, 2)])],
        options=("cost bb", *options),
    )
    builder.write(folder / "p")


REPORTS = {
    "aprof-report": lambda folder, *more: report.main(
        ["--format=html", "-o", str(folder / "out"), *more, str(folder / "p")]
    ),
    "cilkshadow-report": lambda folder, *more: cilkshadow_report.main(
        ["--format=html", "-o", str(folder / "out"), *more, str(folder / "c")]
    ),
    "cilkshadow-report, text": lambda folder, *more: cilkshadow_report.main(
        ["-o", str(folder / "out"), *more, str(folder / "c")]
    ),
}


@pytest.mark.parametrize("shown", REPORTS.values(), ids=REPORTS)
class TestReports:
    def test_the_program_s_own(self, shown, built, tmp_path, capsys):
        profiles(tmp_path, built / "app", built / "app.c", here())
        assert shown(tmp_path) == 0
        assert "MINE" in (tmp_path / "out").read_text()

    @pytest.mark.parametrize(
        "options",
        [
            (),
            ("host elsewhere", f"user {os.geteuid()}"),
            (f"host {os.uname().nodename}", f"user {os.geteuid() + 1}"),
            (f"host {os.uname().nodename}",),
        ],
        ids=["unknown", "another machine", "another user", "unknown user"],
    )
    def test_a_profile_from_elsewhere(self, shown, options, built, tmp_path, capsys):
        profiles(tmp_path, built / "app", built / "app.c", options)
        assert shown(tmp_path) == 0
        assert "MINE" not in (tmp_path / "out").read_text()
        assert shown(tmp_path, f"--source-path={built}") == 0
        assert "MINE" in (tmp_path / "out").read_text()

    def test_private_files(self, shown, built, tmp_path, capsys):
        """That the profile says to be the program's: absolute, by `..`, below the folder by a link."""
        secret = tmp_path / "secret.c"
        secret.write_text(SECRET)
        folder = tmp_path / "src"
        folder.mkdir()
        (folder / "link.c").symlink_to(secret)
        for file in (secret, f"{built}/../{secret.parent.name}/secret.c", "/etc/passwd", "link.c"):
            for more in ([], [f"--source-path={folder}"], [f"--source-path={built}"]):
                profiles(tmp_path, built / "app", file, here())
                assert shown(tmp_path, *more) == 0
                written = (tmp_path / "out").read_text()
                assert "PRIVATE" not in written and "root:" not in written


# A card of cilkshadow's page has the lines around the one that it marks.
@pytest.mark.parametrize(
    ("shown", "lines"), [(REPORTS["aprof-report"], 1), (REPORTS["cilkshadow-report"], 3)]
)
def test_the_page_lists_what_it_holds(shown, lines, built, tmp_path, capsys):
    profiles(tmp_path, built / "app", built / "app.c", here())
    assert shown(tmp_path) == 0
    assert f'"sources":[["{built}/app.c",{lines}]]' in (tmp_path / "out").read_text()
    profiles(tmp_path, built / "app", built / "none.c", here())
    assert shown(tmp_path) == 0
    assert '"sources":[]' in (tmp_path / "out").read_text()


def test_where_a_profile_was_made_is_no_option(tmp_path):
    from aprofplot.read.profile_reader import read_profile
    from aprofplot.read.work_span_reader import read_work_span

    profiles(tmp_path, "/bin/app", "/a.c", ("host h", "user 7"))
    run, of_cilkshadow = read_profile(str(tmp_path / "p")).runs[0], read_work_span(
        str(tmp_path / "c")
    )
    assert run.origin == of_cilkshadow.origin == Origin("h", "7")
    assert run.options == (("cost", "bb"),)
    assert [name for name, _ in of_cilkshadow.options] == ["work", "burden"]
