"""Names in code as words: how they are split, and what their singular is."""

from __future__ import annotations

import re


def words_of(name: str) -> list[str]:
    """`HTTPHeaderRow2`, `call_edges` and `work-span` in lower case: http, header, row, ..."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def singular(word: str) -> str:
    """Good enough for the nouns of this project; verbs and adverbs in -s change, too."""
    if re.search(r"[^aeiou]ies$", word):
        return word[:-3] + "y"
    if re.search(r"(s|x|ch|sh)es$", word):
        return word[:-2]
    return word[:-1] if re.search(r"[^siu]s$", word) else word
