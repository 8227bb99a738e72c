"""Reads the profiles of aprof-trms and shows them: tables, JSON, CSV, figures.

Data moves through the modules in this order: profile_file (bytes, checksum), profile_reader
(records), point_rows (numbers), model, merge, metrics, then report_* or chart and figures.
"""
