# APROF_VALGRIND(OLDEST): finds the installed Valgrind to build for, with pkg-config, and
# everything of it that a tool is compiled and linked with.
#
# Sets VALGRIND           its launcher
#      VALGRIND_VERSION   (also in aprof-config.h)
#      VALGRIND_INCLUDES  folder of pub_tool_*.h
#      VALGRIND_ARCHIVES  folder of libcoregrind
#      VALGRIND_LOAD      address at which a tool is linked
#      VALGRIND_LIBEXEC   folder of Valgrind's own tools
#      vglibexecdir       folder where `make install` puts ours
#      PRIVATE_LIBEXEC    (conditional) the two differ: links to Valgrind's files are needed
AC_DEFUN([APROF_VALGRIND], [
  AC_ARG_VAR([VALGRIND], [the valgrind command to run tools with, when it is not in its own prefix])
  AC_ARG_WITH([valgrind-libexec],
    [AS_HELP_STRING([--with-valgrind-libexec=DIR],
      [install the tools in DIR, for use with VALGRIND_LIB=DIR (default: where Valgrind looks for its tools)])])

  AC_MSG_CHECKING([for Valgrind $1 or later])
  AS_IF([$PKG_CONFIG --exists valgrind], [],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([pkg-config finds no valgrind.pc: install Debian's package valgrind, or set PKG_CONFIG_PATH to the lib/pkgconfig of another installation])])
  VALGRIND_VERSION=`$PKG_CONFIG --modversion valgrind`
  AC_MSG_RESULT([$VALGRIND_VERSION])
  AS_IF([$PKG_CONFIG --atleast-version=$1 valgrind], [],
    [AC_MSG_ERROR([Valgrind $VALGRIND_VERSION is too old, $1 is the oldest that works: set PKG_CONFIG_PATH to the lib/pkgconfig of a later one])])
  AC_DEFINE_UNQUOTED([VALGRIND_VERSION], ["$VALGRIND_VERSION"],
    [The Valgrind that the tools are built for.])

  aprof_platform=`$PKG_CONFIG --variable=platform valgrind`
  AS_IF([test "x$aprof_platform" = xamd64-linux], [],
    [AC_MSG_ERROR([this Valgrind is for $aprof_platform; the tools work on amd64-linux only])])

  VALGRIND_INCLUDES=`$PKG_CONFIG --variable=includedir valgrind`
  VALGRIND_ARCHIVES=`$PKG_CONFIG --variable=libdir valgrind`/valgrind
  VALGRIND_LOAD=`$PKG_CONFIG --variable=valt_load_address valgrind`
  for aprof_file in "$VALGRIND_INCLUDES/pub_tool_tooliface.h" "$VALGRIND_INCLUDES/libvex_ir.h" \
      "$VALGRIND_ARCHIVES/libcoregrind-amd64-linux.a" "$VALGRIND_ARCHIVES/libvex-amd64-linux.a" \
      "$VALGRIND_ARCHIVES/libgcc-sup-amd64-linux.a"
  do
    AS_IF([test -r "$aprof_file"], [],
      [AC_MSG_ERROR([Valgrind's $aprof_file is missing: install Debian's package valgrind (elsewhere it may be in valgrind-devel)])])
  done

  # Its place is in no variable of valgrind.pc; these are the ones that its configure and the
  # distributions choose.
  AC_MSG_CHECKING([where this Valgrind looks for its tools])
  aprof_prefix=`$PKG_CONFIG --variable=exec_prefix valgrind`
  VALGRIND_LIBEXEC=
  for aprof_dir in "$aprof_prefix/libexec/valgrind" "$VALGRIND_ARCHIVES" "$aprof_prefix/lib/valgrind" \
      "$aprof_prefix/lib64/valgrind"
  do
    AS_IF([test -z "$VALGRIND_LIBEXEC" && test -x "$aprof_dir/none-amd64-linux"],
      [VALGRIND_LIBEXEC=$aprof_dir])
  done
  AS_IF([test -z "$VALGRIND_LIBEXEC"],
    [AC_MSG_RESULT([not found])
     AC_MSG_ERROR([no none-amd64-linux in $aprof_prefix/libexec/valgrind or near it: is Debian's package valgrind complete?])])
  AC_MSG_RESULT([$VALGRIND_LIBEXEC])

  # A prefix given by someone who may not write to Valgrind's folder is where the tools go, too.
  vglibexec_note=
  AS_CASE([$with_valgrind_libexec],
    [/*], [vglibexecdir=$with_valgrind_libexec],
    [''], [AS_IF([test "x$prefix" = xNONE || test -w "$VALGRIND_LIBEXEC"],
             [vglibexecdir=$VALGRIND_LIBEXEC],
             [AS_IF([test "x$exec_prefix" = xNONE], [exec_prefix=$prefix])
              eval "vglibexecdir=$libexecdir/valgrind"])],
    [AC_MSG_ERROR([--with-valgrind-libexec needs an absolute path])])
  AS_IF([test -e "$vglibexecdir/none-amd64-linux" && test ! -L "$vglibexecdir/none-amd64-linux"], [],
    [aprof_private_libexec=yes
     vglibexec_note=" (run with VALGRIND_LIB=$vglibexecdir)"])
  AM_CONDITIONAL([PRIVATE_LIBEXEC], [test "x$aprof_private_libexec" = xyes])

  AC_PATH_PROG([VALGRIND], [valgrind], [], ["$aprof_prefix/bin"])
  AS_IF([test -z "$VALGRIND"],
    [AC_MSG_ERROR([no valgrind in $aprof_prefix/bin: name it with VALGRIND=/path/of/valgrind])])

  AC_SUBST([VALGRIND_VERSION])
  AC_SUBST([VALGRIND_INCLUDES])
  AC_SUBST([VALGRIND_ARCHIVES])
  AC_SUBST([VALGRIND_LOAD])
  AC_SUBST([VALGRIND_LIBEXEC])
  AC_SUBST([vglibexecdir])
])
