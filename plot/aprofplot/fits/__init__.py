"""How a routine's cost grows with its input: laws fitted to points, and how far to trust them.

fitting gives the verdict on a table. Below it, in the order of the data: observations (points as they
are fitted), shapes and solver (all laws at once), candidates and choosing (which one), systematic,
shifts and segments (where one law is off: along n - shift, or with a break), precision (intervals),
law (the types of a verdict, and laws as people write them).
"""
