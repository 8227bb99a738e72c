# APROF_TEST_TOOLS: what only `make check` needs. Absence is no error here; `make check` says it.
AC_DEFUN([APROF_TEST_TOOLS], [
  PKG_CHECK_MODULES([GTEST], [gtest_main], [have_gtest=yes],
    [have_gtest="no (libgtest-dev)"])
  AM_CONDITIONAL([HAVE_GTEST], [test "$have_gtest" = yes])

  AC_MSG_CHECKING([for pytest and hypothesis])
  AS_IF(["$PYTHON" -c 'import pytest, hypothesis' >&AS_MESSAGE_LOG_FD 2>&1], [have_pytest=yes],
    [have_pytest="no (python3-pytest, python3-hypothesis)"])
  AC_MSG_RESULT([$have_pytest])

  AC_MSG_CHECKING([for the address and undefined-behaviour sanitizers])
  aprof_saved_CXXFLAGS=$CXXFLAGS
  SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all"
  CXXFLAGS="$CXXFLAGS $SANITIZE"
  AC_LINK_IFELSE([AC_LANG_PROGRAM()], [have_sanitizers=yes], [have_sanitizers=no SANITIZE=])
  CXXFLAGS=$aprof_saved_CXXFLAGS
  AC_MSG_RESULT([$have_sanitizers])
  AC_SUBST([SANITIZE])
])
