"""Verdicts as JUnit XML, which CI systems show as tests."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from xml.etree import ElementTree

from aprofplot.compare.verdict import Verdict
from aprofplot.names import printable

_NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def junit_text(budget: str, verdicts: Sequence[Verdict]) -> str:
    """A test case for each line of the budget at path `budget`: a violated limit is a failure, one
    that cannot be told an error."""
    counts = {
        "tests": len(verdicts),
        "failures": sum(v.status == "violated" for v in verdicts),
        "errors": sum(v.status == "cannot tell" for v in verdicts),
    }
    numbers = {name: str(value) for name, value in counts.items()}
    root = ElementTree.Element("testsuites", {"name": "aprof-check", **numbers})
    name = _clean(os.path.basename(budget))
    suite = ElementTree.SubElement(root, "testsuite", {"name": name, **numbers, "skipped": "0"})
    for verdict in verdicts:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            name=_clean(verdict.line.text),
            classname=name,
            file=_clean(budget),
            line=str(verdict.line.number),
            time="0",
        )
        message = _clean(verdict.message)
        if verdict.status == "violated":
            ElementTree.SubElement(case, "failure", message=message, type="violated")
        elif verdict.status == "cannot tell":
            ElementTree.SubElement(case, "error", message=message, type="cannot tell")
        else:
            ElementTree.SubElement(case, "system-out").text = message
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _clean(text: str) -> str:
    return _NO_XML.sub("?", printable(text))
