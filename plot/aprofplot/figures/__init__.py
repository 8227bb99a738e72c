"""Figures drawn with matplotlib. Numbers come from aprofplot.metrics and aprofplot.fits."""
