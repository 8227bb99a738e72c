"""Short C++ names, and the routines that a ROUTINE argument finds."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from builder import Builder, Table

from aprofplot import selection
from aprofplot.commands.loading import load_profiles
from aprofplot.errors import SelectionError
from aprofplot.clone_names import function_name, is_piece
from aprofplot.names import base_name, called_name, endings, function_of_closure
from aprofplot.model import Routine
from aprofplot.selection import matching, near_names, select


@dataclass(frozen=True)
class Named:
    """What a name may find."""

    routine: Routine


def named(names):
    return [Named(Routine(name, "app", "app.c", 1, i)) for i, name in enumerate(names)]


NAMES = [
    "void std::sort<int*>(int*, int*)",
    "run(int)",
    "run(int)::{lambda(int)#1}::operator()(int) const",
    "A::get(long) const::{lambda(auto:1)#2}::operator()<int>(int) const",
    "text[abi:cxx11](int)",
    "std::ostream& ns::operator<< <int>(std::ostream&, int)",
    "A::operator bool() const",
    "operator new(unsigned long)",
    "(anonymous namespace)::hidden(int)",
    "decltype(auto) h<int>(int)",
    "std::enable_if<(1)>(2), int>::type pick<int>(int) [clone .cold]",
    "void (anonymous namespace)::each<f(int)>(f)",
    "int* const& A::at<unsigned long>(unsigned long) const &",
    "myoperator<int>(int)",
    "plain",
    'std::literals::operator""ms(unsigned long long)',
    'operator"" _km(long double)',
]


@pytest.mark.parametrize(
    "name, base",
    list(
        zip(
            NAMES,
            [
                "std::sort<int*>",
                "run",
                "run(int)::{lambda(int)#1}::operator()",
                "A::get(long) const::{lambda(auto:1)#2}::operator()<int>",
                "text[abi:cxx11]",
                "ns::operator<< <int>",
                "A::operator bool",
                "operator new",
                "(anonymous namespace)::hidden",
                "h<int>",
                None,  # the `>` of an expression: whatever, but no exception
                "(anonymous namespace)::each<f(int)>",
                "A::at<unsigned long>",
                "myoperator<int>",
                "plain",
                'std::literals::operator""ms',
                'operator"" _km',
            ],
        )
    ),
)
def test_base_name(name, base):
    assert base is None or base_name(name) == base
    assert base_name(name) in name


@pytest.fixture
def routines(tmp_path):
    tables = [Table(i, [(1, 1, 1, 1, 1)]) for i in range(1, len(NAMES) + 1)]
    builder = Builder(
        routines=[(name, 1, 1, i) for i, name in enumerate(NAMES)],
        objects=["???"],
        tables=tables,
    )
    return load_profiles([str(builder.write(tmp_path / "p"))], per_thread=False).routines


@pytest.mark.parametrize(
    "pattern, index",
    [
        *((name, i) for i, name in enumerate(NAMES)),
        ("std::sort<int*>", 0),
        ("std::sort", 0),
        ("std::sort<...>", 0),
        ("std::sor?", 0),
        ("run", 1),
        ("text[abi:cxx11]", 4),
        ("*[abi:cxx11]*", 4),
        ("ns::operator<<", 5),
        ("h<int>", 9),
        ("app.c:A::operator bool", 6),
        ("???:std::sort", 0),
    ],
)
def test_selected(pattern, index, routines):
    assert select(routines, pattern).routine.name == NAMES[index]


def test_an_exact_name_wins_over_a_glob(tmp_path):
    names = ["f(char*)", "f(char**)", "g"]
    builder = Builder(
        routines=[(name, 1, 1, 1) for name in names],
        tables=[Table(i, [(1, 1, 1, 1, 1)]) for i in (1, 2, 3)],
    )
    found = load_profiles([str(builder.write(tmp_path / "p"))], per_thread=False).routines
    assert select(found, "f(char*)").routine.name == "f(char*)"
    with pytest.raises(SelectionError, match="any of 2"):
        select(found, "f*")


class TestQualifiersInTheMiddle:
    """Such as inline namespaces, which the source does not have."""

    NAMES = [
        "lib::v2::f(int)",
        "lib::v2::f(long)",
        "int lib::v2::made<int>(int)",
        "int lib::v2::made<long>(long)",
        "lib::one::g(int)",
        "lib::two::g(int)",
        "void std::__1::sort<int*>(int*, int*)",
        "std::ranges::sort(int)",
        "std::__cxx11::list<int>::clear()",
    ]

    @pytest.fixture
    def routines(self, tmp_path):
        tables = [Table(i, [(1, 1, 1, 1, 1)]) for i in range(1, len(self.NAMES) + 1)]
        path = Builder([(n, 1, 1, i) for i, n in enumerate(self.NAMES)], tables=tables)
        return load_profiles([str(path.write(tmp_path / "p"))], per_thread=False).routines

    @pytest.mark.parametrize(
        "pattern, found",
        [
            ("lib::f", [0, 1]),
            ("lib::f(long)", [1]),
            ("lib::made", [2, 3]),
            ("lib::made<long>", [3]),
            ("app.c:lib::f", [0, 1]),
            ("std::sort", [6]),
            ("std::list::clear", [8]),
            ("list::clear", [8]),
            ("lib::g", []),
            ("f::lib", []),
            ("lib::v2", []),
        ],
    )
    def test_may_be_left_out(self, pattern, found, routines):
        named = [r.routine.name for r in matching(routines, pattern)]
        assert named == [self.NAMES[i] for i in found]

    def test_must_not_be_if_there_are_several(self, routines):
        with pytest.raises(SelectionError, match="no routine matches") as raised:
            select(routines, "lib::g")
        assert raised.value.candidates[:2] == ("lib::one::g", "lib::two::g")

    def test_what_was_taken_is_said_once(self, capsys):
        """It may be another function, as a method is: app::run and app::Engine::run."""
        for _ in range(2):
            assert len(matching(named(["app::Engine::run()", "app::stop()"]), "app::run")) == 1
        note = "note: app::run is not in the profile; app::Engine::run is taken\n"
        assert capsys.readouterr().err == note
        assert len(matching(named(["app::run()", "app::Engine::run()"]), "app::run")) == 1
        assert capsys.readouterr().err == ""

    @pytest.mark.parametrize(
        "pattern, name",
        [("main._omp_fn.0", "main.constprop.0._omp_fn.0"), ("main.f", "main.(*T).f")],
    )
    def test_what_dots_join_stays_whole(self, pattern, name):
        assert matching(named([name]), pattern) == []

    def test_several_leave_it_to_a_glob(self):
        names = ["a::x::operator*(int)", "a::y::operator*(int)", "a::operator*=(int)"]
        assert [r.routine.name for r in matching(named(names), "a::operator*")] == names[2:]

    def test_suggestions_of_many_routines_are_quick(self):
        """Of 30,000 it took 5 s to find those with more qualifiers; most have not even the words."""
        names = [f"void a::v{i}::C<int>::m{i}(std::vector<int> const&)" for i in range(3000)]
        tried: list[str] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                selection, "leaves_out_qualifiers", lambda _, name: bool(tried.append(name))
            )
            near_names(named(names), "a::C::m77")
        assert 0 < len(tried) < 100 * 8

    @pytest.mark.parametrize("pattern", ["lib::mode", "lib::g", "made<char>"])
    def test_suggestions_have_each_name_once(self, pattern, routines):
        with pytest.raises(SelectionError) as raised:
            select(routines, pattern)
        assert len(set(raised.value.candidates)) == len(raised.value.candidates) > 0
        assert not any("<" in name for name in raised.value.candidates)


def test_namesakes_without_a_source_file_are_told_apart_by_address(tmp_path):
    builder = Builder(
        routines=[("twin", 1, 0, 0), ("twin", 1, 0, 0)],
        tables=[Table(i, [(i, 1, 1, 1, 1)]) for i in (1, 2)],
    )
    found = load_profiles([str(builder.write(tmp_path / "p"))], per_thread=False).routines
    with pytest.raises(SelectionError, match="NAME@ADDRESS") as raised:
        select(found, "twin")
    assert raised.value.candidates == ("twin@0x1000  (app)", "twin@0x2000  (app)")
    for pattern in ("twin@0x2000", "app:twin@0x2000", "tw*@0x2000"):
        assert select(found, pattern).points["trms"].column("size").tolist() == [2]
    for pattern in ("twin@0x3000", "@0x1000", "other@0x1000"):
        with pytest.raises(SelectionError, match="no routine matches"):
            select(found, pattern)


@pytest.mark.parametrize(
    "name, written",
    [
        ("bubble.constprop.0", "bubble"),
        ("bubble.isra.0.constprop.3", "bubble"),
        ("bubble.part.0.cold", "bubble"),
        ("bubble.cold", "bubble"),
        ("bubble.cold.12", "bubble"),
        ("bubble.lto_priv.0", "bubble"),
        ("bubble.llvm.15392651862534267", "bubble"),
        ("core::fmt::write.llvm.123", "core::fmt::write"),
        ("bubble.avx2.0", "bubble"),
        ("bubble.arch_haswell.1", "bubble"),
        ("bubble.default.1", "bubble"),
        ("bubble.__uniq.1234.llvm.5", "bubble"),
        ("bubble(int*) [clone .constprop.0]", "bubble(int*)"),
        ("bubble(int*) [clone .isra.0] [clone .cold]", "bubble(int*)"),
        ("bubble(int*) [clone .part.0.cold]", "bubble(int*)"),
        ("bubble(int*) [clone .12]", "bubble(int*)"),
        ("bubble(int*) (.llvm.123)", "bubble(int*)"),
        # Functions of their own.
        ("bubble._omp_fn.0", "bubble._omp_fn.0"),
        ("bubble(int*) [clone ._omp_fn.0]", "bubble(int*) [clone ._omp_fn.0]"),
        ("bubble._omp_fn.0.cold", "bubble._omp_fn.0"),
        (".omp_outlined..5", ".omp_outlined..5"),
        ("main.bubble.func1.2", "main.bubble.func1.2"),
        ("main.part", "main.part"),
        ("inner.1234", "inner.1234"),
        ("memcpy@@GLIBC_2.14", "memcpy@@GLIBC_2.14"),
        ("libc.so.6+0x10", "libc.so.6+0x10"),
        (".cold", ".cold"),
    ],
)
def test_the_function_of_a_clone(name, written):
    assert function_name(name) == written


@pytest.mark.parametrize(
    "name, function",
    [
        (
            "std::_Function_handler<long (int, int), ways(int, int)::{lambda(int, int)#1}>"
            "::_M_invoke(std::_Any_data const&, int&&, int&&)",
            "ways",
        ),
        ("std::_Function_handler<long (int), ns::ways(int)::$_0>::_M_invoke(int&&)", "ns::ways"),
        ("void call<A<int, char>::go(std::map<int, int>)::{lambda()#2}>()", "A<int, char>::go"),
        ("f(int)::{lambda()#1}::operator()() const", ""),
        ("std::sort<int*>(int*, int*)", ""),
    ],
)
def test_the_function_of_a_closure_that_a_template_has(name, function):
    assert function_of_closure(name) == function


def test_pieces():
    pieces = ["f.part.0", "f.cold", "f(int) [clone .cold]", "f.constprop.0.cold"]
    assert all(map(is_piece, pieces))
    assert not any(map(is_piece, ["f", "f.constprop.0", "part.0f", "cold", "f.cold._omp_fn.0"]))


@pytest.mark.parametrize(
    "name, found",
    [
        ("a::B<c::d>::f", ["B<c::d>::f", "f"]),
        ("(anonymous namespace)::hidden", ["hidden"]),
        ("run(a::b)::{lambda(int)#1}::operator()", ["{lambda(int)#1}::operator()", "operator()"]),
        ("<alloc::vec::Vec<T> as core::ops::Drop>::drop", ["drop"]),
        ("a::operator->", ["operator->"]),
        ("main.(*Server).Handle", ["(*Server).Handle", "Handle"]),
        ("plain", []),
    ],
)
def test_what_may_be_left_out_before_a_name(name, found):
    assert endings(name) == found


@pytest.mark.parametrize(
    "name, called",
    [
        ("shop::Service::render[abi:cxx11](int) const", "render"),
        ("int a::f<int>(long)", "f"),
        ("bubble(int*) [clone .constprop.0]", "bubble"),
        ("bubble.isra.0", "bubble"),
        ("main.(*Server).Handle", "Handle"),
    ],
)
def test_a_name_in_a_call(name, called):
    assert called_name(name) == called


class TestOfSeveral:
    """Routines of which a name may mean several."""

    NAMES = [
        "bubble",
        "bubble.constprop.0",
        "quick(int*) [clone .isra.0]",
        "quick(int*) [clone ._omp_fn.0]",
        "shop::Service::render[abi:cxx11](int) const",
        "shop::Cart::render[abi:cxx11]() const",
        "void shop::Service::twice<ns::T>(ns::T)",
        "main.(*Server).Handle",
        "<app::Vec<T> as app::Drop>::drop",
        "inner.0",
    ]

    @pytest.fixture
    def routines(self, tmp_path):
        tables = [Table(i, [(1, 1, 1, 1, 1)]) for i in range(1, len(self.NAMES) + 1)]
        routines = [(name, 1, 1, i) for i, name in enumerate(self.NAMES, 1)]
        path = Builder(routines=routines, tables=tables).write(tmp_path / "p")
        return load_profiles([str(path)], per_thread=False).routines

    @pytest.mark.parametrize(
        "pattern, found",
        [
            ("bubble", [0, 1]),
            ("bubble.constprop.0", [1]),
            ("bubble.constprop.7", [0, 1]),  # of another build
            ("app.c:bubble", [0, 1]),
            ("quick", [2]),
            ("quick(int*)", [2]),
            ("quick [clone ._omp_fn.0]", [3]),
            ("shop::Service::render", [4]),
            ("shop::Service::render[abi:cxx11]", [4]),
            ("Service::render", [4]),
            ("render", [4, 5]),
            ("render[abi:cxx11]", [4, 5]),
            ("app:render", [4, 5]),
            ("Cart::rend*", [5]),
            ("twice", [6]),
            ("Service::twice<ns::T>", [6]),
            ("T", []),
            ("Handle", [7]),
            ("(*Server).Handle", [7]),
            ("drop", [8]),
            ("inner", [9]),
            ("app::Drop>::drop", []),
            ("shop", []),
        ],
    )
    def test_what_a_name_means(self, pattern, found, routines):
        named = [r.routine.name for r in matching(routines, pattern)]
        assert sorted(named) == sorted(self.NAMES[index] for index in found)

    def test_the_exact_name_is_that_of_one(self, routines):
        assert select(routines, "bubble").routine.name == "bubble"

    @pytest.mark.parametrize("pattern", ["E::predict", "predict", "E::predict(int) const"])
    def test_a_function_is_not_ambiguous_for_its_clones(self, pattern, tmp_path):
        """As the unlikely part of every second function is one."""
        names = ["E::predict(int) const", "E::predict(int) const [clone .cold]"]
        tables = [Table(i, [(1, 1, 1, 1, 1)]) for i in (1, 2)]
        builder = Builder(routines=[(name, 1, 1, 7) for name in names], tables=tables)
        found = load_profiles([str(builder.write(tmp_path / "p"))], per_thread=False).routines
        assert select(found, pattern).routine.name == names[0]
        assert select(found, names[1]).routine.name == names[1]

    @pytest.mark.parametrize(
        "objects, files, line, asked, listed, one",
        [
            (
                "/app",
                "/src/{}/util.c",
                1,
                "util.c:helper",
                "/app:/src/{}/util.c:1",
                "b/util.c:helper",
            ),
            # Without debug information there are no files and lines.
            ("/opt/{}/libx.so", "", 0, "helper", "/opt/{}/libx.so", "/opt/b/libx.so:helper"),
        ],
        ids=["files", "objects"],
    )
    def test_places_of_one_name_are_told_apart_by_their_paths(
        self, objects, files, line, asked, listed, one
    ):
        units = [
            Named(Routine("helper", objects.format(unit), files.format(unit), line, 0))
            for unit in "ab"
        ]
        with pytest.raises(SelectionError) as raised:
            select(units, asked)
        assert raised.value.candidates == tuple(f"helper  ({listed.format(unit)})" for unit in "ab")
        assert select(units, one) is units[1]

    def test_an_ambiguous_one_lists_them(self, routines):
        with pytest.raises(SelectionError, match="'render' could be any of 2 routines") as raised:
            select(routines, "render")
        assert raised.value.candidates == (
            "shop::Cart::render[abi:cxx11]() const  (app:app.c:6)",
            "shop::Service::render[abi:cxx11](int) const  (app:app.c:5)",
        )
