"""How a routine's cost grows with its input: laws fitted to points, and how far to trust them.

law has the types and the order of laws by growth, fitting chooses one.
"""
