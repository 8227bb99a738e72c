"""The command lines: one module for each command, `running` for what all of them do alike."""
