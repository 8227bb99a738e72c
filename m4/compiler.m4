# APROF_CXX20: sets CXX20_FLAGS, which both the tools and their hosted tests are compiled with.
AC_DEFUN([APROF_CXX20], [
  AC_MSG_CHECKING([whether $CXX compiles C++20])
  aprof_saved_CXXFLAGS=$CXXFLAGS
  CXX20_FLAGS="-std=c++20 -Wall -Wextra"
  CXXFLAGS="$CXXFLAGS $CXX20_FLAGS"
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
    #include <bit>
    #include <compare>
    #include <concepts>
    struct Size { unsigned long cells; auto operator<=>(const Size&) const = default; };
    template <std::unsigned_integral T> constexpr int width(T x) { return std::bit_width(x); }
    static_assert(Size{1} < Size{2} && width(8u) == 4);
  ]])],
  [AC_MSG_RESULT([yes])],
  [AC_MSG_RESULT([no])
   AC_MSG_ERROR([$CXX does not compile C++20: install Debian's package g++, or set CXX to g++ 12, clang++ 14 or later])])
  CXXFLAGS=$aprof_saved_CXXFLAGS
  AC_SUBST([CXX20_FLAGS])
])
