"""The wrapper `{tool}` of a run: runs a command and records how it ended.

    measured.py FILE ERRORS COMMAND...

FILE gets a line of JSON for each command: a launcher may start several, and says nothing of their
statuses. ERRORS gets their standard error, which launchers mix with their own output. To the
launcher's goes a line at the end of each, so that one sees there which words were the command's.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time

NOT_FOUND = 127
ENDED = "aprof-batch: ended with status"


def main(argv: list[str]) -> int:
    """Returns the command's exit status, as a shell would."""
    path, errors, *command = argv
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            os.dup2(os.open(errors, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644), 2)
            os.execvp(command[0], command)
        except OSError as error:
            print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        finally:
            os._exit(NOT_FOUND)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the whole tree gets it; write down what follows
    _, waited, used = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(waited)
    line = {
        "code": code,
        "wall_s": round(time.monotonic() - began, 3),
        "user_s": round(used.ru_utime, 3),
        "system_s": round(used.ru_stime, 3),
        "peak_process_kb": used.ru_maxrss,
    }
    with open(path, "a") as file:
        file.write(json.dumps(line) + "\n")
    status = code if code >= 0 else 128 - code
    with contextlib.suppress(OSError):  # the launcher may not listen
        os.write(2, f"{ENDED} {status}\n".encode())
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
