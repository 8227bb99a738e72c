"""What a recorded dag takes on P processors, and what they would wait for."""
