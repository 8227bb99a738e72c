"""The formats of cilkshadow-report."""
