"""What bench/compare and bench/growth are made of; suites are run by aprof-batch's own code."""
