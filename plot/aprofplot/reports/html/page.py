"""Writes the page: one file with its data, scripts and styles in it, which loads nothing."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from aprofplot.process_pool import in_order
from aprofplot.reports.html.data import Details, PageData

_TEMPLATES = Path(__file__).resolve().parent / "templates"
# In the order in which they need each other.
_SCRIPTS = (
    "dom.js",
    "numbers.js",
    "store.js",
    "column_widths.js",
    "virtual_rows.js",
    "table_view.js",
    "routine_filter.js",
    "routine_view.js",
    "axes.js",
    "plot.js",
    "plot_panel.js",
    "loop_brackets.js",
    "source_lines.js",
    "source_panel.js",
    "cards.js",
    "finding_view.js",
    "heat.js",
    "call_graph.js",
    "details_pane.js",
    "details.js",
    "tree_view.js",
    "context_tree.js",
    "icicle.js",
    "context_view.js",
    "loop_view.js",
    "splitter.js",
    "frame.js",
    "link.js",
    "main.js",
)


def write_page(out: TextIO, data: PageData) -> None:
    """The page, as HTML in ASCII or, in names, UTF-8."""
    pieces = page_pieces(
        "page.html.j2",
        _SCRIPTS,
        title=data.title,
        summary=inline_json(data.summary),
        details=_lines(data.details),
        context_details=_lines(data.context_details),
    )
    for piece in pieces:
        out.write(piece)


def _lines(details: Sequence[Details]) -> Iterator[Any]:
    """Each as inline_json()."""
    return in_order(lambda number: inline_json(details[number]()), len(details))


def page_pieces(template: str, names: Sequence[str], **values: Any) -> Iterator[str]:
    """A page of the scripts `names`, in this order, and of what its template needs."""
    import jinja2
    from markupsafe import Markup

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    scripts = "\n".join(_read(name) for name in names)
    script = f'"use strict";\n(() => {{\n{scripts}\n}})();\n'
    style = _read("page.css")
    return environment.get_template(template).generate(
        script=Markup(script),
        style=Markup(style),
        script_hash=_hash(script),
        style_hash=_hash(style),
        **values,
    )


def _read(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    """As a content security policy names an inline script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


def inline_json(value: Any) -> Any:
    """JSON on one line that can stand in a <script> element, whatever text is in it."""
    from markupsafe import Markup

    plain = json.dumps(value, separators=(",", ":"), allow_nan=False)
    for char in "<>&":
        plain = plain.replace(char, f"\\u{ord(char):04x}")
    return Markup(plain)
