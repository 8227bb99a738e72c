"""Batches of runs: suite_file and suite (what to run), plan (the batch's folder), Snakefile and
engine (Snakemake runs what is missing), execute and processes (one run), outcome, database, reports.
"""
