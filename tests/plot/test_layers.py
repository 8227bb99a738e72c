"""The folders of aprofplot are layers: none imports what is above it."""

import ast
from pathlib import Path

import aprofplot

PACKAGE = Path(aprofplot.__file__).parent
LAYERS = (
    "work_span",
    "read",
    "fits",
    "findings",
    "compare",
    "figures",
    "reports",
    "batch",
    "commands",
)


def imported(path):
    """The modules that a file imports, also within functions."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def folder(module):
    """That of a module of the package, else None."""
    parts = module.split(".")
    return parts[1] if parts[0] == "aprofplot" and (PACKAGE / parts[1]).is_dir() else None


def test_every_folder_is_a_layer():
    found = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert found == set(LAYERS)


def test_no_folder_imports_what_is_above_it():
    above = [
        f"{path.relative_to(PACKAGE)} imports {module}"
        for height, layer in enumerate(LAYERS)
        for path in (PACKAGE / layer).rglob("*.py")
        for module in imported(path)
        if folder(module) in LAYERS[height + 1 :]
    ]
    assert above == []
