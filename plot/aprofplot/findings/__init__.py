"""What a report says first: where a program's cost is spent again and again, and why."""
