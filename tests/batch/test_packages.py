"""Missing programs: detected, and installed on request."""

from __future__ import annotations

import pytest

from aprofplot.batch.packages import apt_get, install, missing
from aprofplot.batch.suite_file import load
from aprofplot.errors import AprofError


def test_missing_programs_are_installed_from_their_packages(tmp_path, monkeypatch):
    (tmp_path / "s.toml").write_text(
        """
    [programs.here]
    command = "sh"
    [programs.gone]
    command = "gone -x"
    packages = ["gone-utils", "gone-data"]
    """
    )
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, script in {
        # as apt-get would, for root; as sudo would, for others
        "apt-get": f'echo "$@" >{tmp_path}/said; echo "#!/bin/sh" >{folder}/gone; chmod +x {folder}/gone',
        "sudo": '"$@"',
    }.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    programs = load(str(tmp_path / "s.toml"), {}).programs
    lacking = missing(programs)
    assert lacking == {"gone": ["gone"]}
    command = apt_get(programs, lacking)
    assert command == ["apt-get", "install", "--yes", "gone-data", "gone-utils"]
    install(command)
    assert (tmp_path / "said").read_text() == "install --yes gone-data gone-utils\n"
    assert missing(programs) == {}
    (folder / "apt-get").write_text("#!/bin/sh\nexit 100\n")
    with pytest.raises(AprofError, match="ended with 100; install them by hand"):
        install(command)
