"""Simulates a recorded dag on P processors: the time it takes, and what processors wait for."""
