"""A cluster of one node on the loopback: munged, slurmctld and slurmd of Debian, in a folder.

All run as root, without systemd, on ports of their own; `stop` ends every process that was started.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "sinfo")


def why_not() -> str:
    """Why there can be no cluster here; empty if there can."""
    missing = [name for name in PROGRAMS if _find(name) is None]
    if missing:
        return f"{', '.join(missing)} not installed (Debian: slurm-wlm, munge)"
    if os.geteuid() != 0:
        return "slurmd needs root"
    mounts = Path("/proc/mounts").read_text()
    return "" if " /sys/fs/cgroup" in mounts else "slurmd needs cgroups at /sys/fs/cgroup"


def _find(name: str) -> str | None:
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """Started when made; `environment` has what Slurm's commands need to find it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._daemons: list[subprocess.Popen[bytes]] = []
        self.configuration = folder / "slurm.conf"
        self.environment = {**os.environ, "SLURM_CONF": str(self.configuration)}
        self._configure()
        self._start_munge()
        self._start("slurmctld", "-D", "-i", "-f", str(self.configuration))
        self._start("slurmd", "-D", "-N", self._node, "-f", str(self.configuration))
        self._await_idle()

    def _configure(self) -> None:
        self._node = socket.gethostname().split(".")[0]
        controller, daemon = _free_ports(2)
        for name in ("state", "spool", "munge"):
            (self._folder / name).mkdir()
        self.configuration.write_text(
            f"""
ClusterName=loopback
SlurmctldHost={self._node}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={self._folder}/munge/socket
StateSaveLocation={self._folder}/state
SlurmdSpoolDir={self._folder}/spool
SlurmctldPidFile={self._folder}/slurmctld.pid
SlurmdPidFile={self._folder}/slurmd.pid
SlurmctldLogFile={self._folder}/slurmctld.log
SlurmdLogFile={self._folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=1
MailProg=/bin/true
NodeName={self._node} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes={self._node} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
"""
        )

    def _start_munge(self) -> None:
        munge = self._folder / "munge"
        os.chmod(munge, 0o755)
        key = munge / "key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        files = [f"--{name}-file={munge}/{name}" for name in ("key", "pid", "log", "seed")]
        self._start("munged", "--foreground", "--force", f"--socket={munge}/socket", *files)
        self._wait_for("munged", lambda: (munge / "socket").exists())

    def _start(self, name: str, *arguments: str) -> None:
        program = _find(name)
        assert program is not None
        with open(self._folder / f"{name}.out", "wb") as log:
            self._daemons.append(
                subprocess.Popen(
                    [program, *arguments],
                    env=self.environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            )

    def _await_idle(self) -> None:
        def idle() -> bool:
            words = ["sinfo", "--noheader", "--format=%t"]
            asked = subprocess.run(words, env=self.environment, capture_output=True, text=True)
            return asked.stdout.strip() == "idle"

        self._wait_for("slurmd", idle)

    def _wait_for(self, name: str, ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 30
        while not ready():
            if time.monotonic() > deadline:
                said = "".join(p.read_text()[-2000:] for p in self._folder.glob("*.out"))
                self.stop()
                raise RuntimeError(f"{name} does not come up: {said}")
            time.sleep(0.1)

    def stop(self) -> None:
        """Slurm's daemons before munged, which they use; jobs with them."""
        scancel = ["scancel", "--user=root", "--full"]
        subprocess.run(scancel, env=self.environment, capture_output=True, timeout=20)
        for daemon in reversed(self._daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=15)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
