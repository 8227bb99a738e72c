"""The first lines that a command runs: what can go wrong before its own code is loaded."""

from __future__ import annotations

import importlib
import sys


_PACKAGES = {"elftools": "pyelftools"}  # Debian's, where not called like the module


def launch(command: str, module: str, failure: int = 1, package: str = "aprofplot") -> int:
    """Runs `main` of the package's `module`; returns the exit status of `command`, which is
    `failure` where a Python module is missing."""
    try:
        main = importlib.import_module(f"{package}.{module}").main
        status: int = main(sys.argv[1:])
        return status
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        debian = f"python3-{_PACKAGES.get(missing, missing)}"
        message = f"Python module {missing} is missing; install it (Debian: {debian})"
        print(f"{command}: {message}", file=sys.stderr)
        return failure
    except KeyboardInterrupt:
        print(f"{command}: interrupted", file=sys.stderr)
        return 130
