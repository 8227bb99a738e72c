# APROF_PYTHON(OLDEST): sets PYTHON to a Python that the plots work with. The first in PATH often
# is not (pyenv, conda, virtual environments), so all are tried, and the system's last.
AC_DEFUN([APROF_PYTHON], [
  AC_ARG_VAR([PYTHON], [Python $1 or later with numpy and matplotlib])
  aprof_usable="import sys, numpy, matplotlib; sys.exit(sys.version_info < tuple(map(int, '$1'.split('.'))))"
  AC_CACHE_CHECK([for Python $1 or later with numpy and matplotlib], [ac_cv_path_PYTHON],
    [AC_PATH_PROGS_FEATURE_CHECK([PYTHON], [python3 python3.14 python3.13 python3.12 python3.11],
      [AS_IF(["$ac_path_PYTHON" -c "$aprof_usable" >&AS_MESSAGE_LOG_FD 2>&1],
        [ac_cv_path_PYTHON=$ac_path_PYTHON ac_path_PYTHON_found=:])],
      [ac_cv_path_PYTHON=none], [$PATH$PATH_SEPARATOR/usr/local/bin$PATH_SEPARATOR/usr/bin])])
  AS_IF([test "x$ac_cv_path_PYTHON" != xnone && "$ac_cv_path_PYTHON" -c "$aprof_usable" >&AS_MESSAGE_LOG_FD 2>&1],
    [# A shim such as pyenv's chooses by folder and user; the launchers need the interpreter itself.
     PYTHON=`"$ac_cv_path_PYTHON" -c 'import sys; print(sys.executable)'`],
    [AC_MSG_ERROR([no Python $1 or later that imports numpy and matplotlib: install Debian's packages python3-numpy and python3-matplotlib, or set PYTHON (tried: $ac_cv_path_PYTHON)])])
])
