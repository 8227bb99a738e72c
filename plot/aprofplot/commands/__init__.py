"""The command lines: one module for each command; `running` is common to all."""
