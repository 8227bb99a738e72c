# APROF_HELP2MAN: sets HELP2MAN, which manual pages are made with. Without it there are none, and all
# else is built.
AC_DEFUN([APROF_HELP2MAN], [
  AC_ARG_VAR([HELP2MAN], [help2man, for the manual pages])
  AC_PATH_PROG([HELP2MAN], [help2man])
  AM_CONDITIONAL([HAVE_HELP2MAN], [test -n "$HELP2MAN"])
  AS_IF([test -n "$HELP2MAN"], [man_pages=yes], [man_pages="no (help2man)"])
])
