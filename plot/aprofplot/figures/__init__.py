"""What matplotlib draws. Numbers come from aprofplot.metrics and aprofplot.fits."""
