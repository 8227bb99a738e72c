"""Compares profiles: with those of another build (aprof-diff), and with a budget (aprof-check).

aprof-diff: renames and match pair the routines, loop_match their loops; ratios, with scatter, and growth
measure what changed, changes decides what it means. aprof-check: budget reads the file, estimate
measures, verdict decides, new_budget writes lines.
"""
