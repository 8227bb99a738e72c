"""Reads the profiles of aprof-trms and shows them: tables, JSON, CSV, figures.

Data moves through the modules in this order: read, model, merge and selection, metrics, then
reports and figures. commands holds the command lines.
"""

__version__ = "0.1.0"  # as in configure.ac
