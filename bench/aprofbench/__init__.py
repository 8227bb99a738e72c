"""The parts of bench/compare and bench/growth; aprof-batch's own code runs the suites."""
