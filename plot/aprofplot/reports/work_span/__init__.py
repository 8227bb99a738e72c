"""What cilkshadow-report writes."""
