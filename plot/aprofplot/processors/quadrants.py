"""The meaning of idleness and overhead together: Table 1 of Tallent and Mellor-Crummey, PPoPP 2009."""

from __future__ import annotations

from aprofplot.processors.charges import Charge

# Shares of effort from which one of them is high. Theirs have no number: their example calls 1.6 % of
# idleness effective, and 11.6 % less so.
HIGH = 0.10

_WORDS = {
    (False, False): "it is parallel; look at serial performance",
    (False, True): "coarsen the grain",
    (True, False): "refine the grain: more parallelism",
    (True, True): "another way of parallelising",
}


def quadrant(charge: Charge) -> str:
    """What to do about a part of the program."""
    effort = charge.effort or 1
    return _WORDS[charge.idleness >= HIGH * effort, charge.overhead >= HIGH * effort]
