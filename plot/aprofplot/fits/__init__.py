"""How a routine's cost grows with its input: laws fitted to points, and how far to trust them.

fitting gives the verdicts on tables, growth what is known also without a law. Each verdict is a generator of
steps; together runs many of them side by side and has choosing, solver and slopes answer what they ask, for many
tables at once (padding), and processes divides them among processors. In the order of the data: observations
(points as they are fitted), shapes, law_table and regression (what is fitted, and how), exponents, candidates and
choosing (which law), shifts and segments (where one law is off: along n - shift, or with a break), influence
(whether it hangs on one place), precision (intervals), law (the types of a verdict, and laws as people write them).
"""
