"""A miniature PARSEC tree with a parsecmgmt of our own that has the traps of the real one: it deletes
the run directory, takes its commands apart twice, mixes the streams, and always ends with 0. The hooks
are a shared library, which it finds for its programs."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path

CONFIG = "gcc-hooks"
_PACKAGES = {
    "swaptions": "apps",
    "dedup": "kernels",
    "ferret": "apps",
    "canneal": "kernels",
    "freqmine": "apps",
}

_PARSECMGMT = r"""#!/bin/bash
top=$(dirname "$(dirname "$(readlink -f "$0")")")
while getopts a:p:c:i:n:d:s: option; do
  case $option in
    p) package=$OPTARG ;; c) config=$OPTARG ;; i) input=$OPTARG ;; n) NTHREADS=$OPTARG ;;
    d) rundir=$OPTARG ;; s) submit=$OPTARG ;;
  esac
done
for folder in "$top"/pkgs/*/"$package"; do :; done
run=${rundir:-$top}/pkgs/run/$package
source "$folder/parsec/$input.runconf"
bin=$(echo "$folder"/inst/*."$config")/$run_exec
if [ ! -x "$bin" ]; then echo "Error: Binary '$bin' cannot be found."; exit 1; fi
rm -rf "$run" && mkdir -p "$run" && cd "$run" || exit 1
[ ! -f "$folder/inputs/input_$input.tar" ] || tar -xf "$folder/inputs/input_$input.tar"
export LD_LIBRARY_PATH=$(echo "$top"/pkgs/libs/hooks/inst/*."$config")/lib
eval cmd="\"$submit $bin $run_args\""
(eval $cmd 2>&1) 2>&1 | tee benchmark.out
echo "[PARSEC] Done."
"""

_HOOKS = """
void __parsec_roi_begin(void) {}
void __parsec_roi_end(void) {}
"""

_PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline, noipa))
volatile int cells[1000];
void __parsec_roi_begin(void);
void __parsec_roi_end(void);
NOINLINE void before(void) { cells[0]++; }
NOINLINE void read_all(int n) { for (int i = 0; i < n; i++) (void)cells[i]; }
NOINLINE void after(void) { cells[1]++; }
int main(int argc, char** argv) {
  int n = 0;
  if (strstr(argv[0], "canneal")) {
    puts("wrong number of threads");
    return 5;
  }
  if (strstr(argv[0], "freqmine")) {
    puts("no data set");
    return 0;
  }
  FILE* file = fopen(argv[2], "r");
  if (file == NULL || fscanf(file, "%d", &n) != 1) {
    fprintf(stderr, "no such input for %s threads: %s\n", argv[1], argv[2]);
    return 4;
  }
  before();
  __parsec_roi_begin();
  read_all(n);
  __parsec_roi_end();
  after();
  return 0;
}
"""


def make_tree(folder: Path) -> None:
    """Packages `swaptions`, `dedup`, started by a run.sh, `ferret`, which is not built, `canneal`, which
    fails and says why on standard output, and `freqmine`, which ends well before it begins.
    """
    (folder / "bin").mkdir(parents=True)
    (folder / "config").mkdir()
    manager = folder / "bin" / "parsecmgmt"
    manager.write_text(_PARSECMGMT)
    manager.chmod(0o755)
    source = folder / "program.c"
    source.write_text(_PROGRAM)
    hooks = folder / f"pkgs/libs/hooks/inst/amd64-linux.{CONFIG}/lib/libhooks.so"
    hooks.parent.mkdir(parents=True)
    (folder / "hooks.c").write_text(_HOOKS)
    compiled = [
        "gcc",
        "-g",
        "-O1",
        "-shared",
        "-fPIC",
        "-Wl,-soname,libhooks.so",
        str(folder / "hooks.c"),
        "-o",
        str(hooks),
    ]
    subprocess.run(compiled, check=True)
    for name, group in _PACKAGES.items():
        package = folder / "pkgs" / group / name
        for part in ("parsec", "inputs", f"inst/amd64-linux.{CONFIG}/bin"):
            (package / part).mkdir(parents=True)
        starts = "run.sh" if name == "dedup" else name
        for size, number in (("test", 20), ("simdev", 70)):
            (folder / "config" / f"{size}.runconf").write_text("")
            (package / "parsec" / f"{size}.runconf").write_text(
                f'run_exec="bin/{starts}"\nrun_args="${{NTHREADS}} in_{size}.txt"\n'
            )
            data = folder / f"in_{size}.txt"
            data.write_text(f"{number}\n")
            if (name, size) != ("swaptions", "simdev"):  # it fails without its input
                with tarfile.open(package / "inputs" / f"input_{size}.tar", "w") as archive:
                    archive.add(data, data.name)
        binary = package / f"inst/amd64-linux.{CONFIG}/bin" / name
        if name != "ferret":
            compiled = ["gcc", "-g", "-O1", str(source), str(hooks), "-o", str(binary)]
            subprocess.run(compiled, check=True)
        if name == "dedup":
            script = binary.with_name("run.sh")
            script.write_text('#!/bin/bash\ntouch started\n"${0%/*}/dedup" "$@"\n')
            script.chmod(0o755)
