! A module, internal and recursive procedures, arrays by descriptor, and an OpenMP loop.
module norms
  implicit none
contains
  real function norm1(values)
    real, intent(in) :: values(:)
    integer :: i
    norm1 = 0
    do i = 1, size(values)
      norm1 = norm1 + abs(values(i))
    end do
  end function

  recursive integer function depth(n) result(total)
    integer, intent(in) :: n
    if (n == 0) then
      total = 0
    else
      total = 1 + depth(n - 1)
    end if
  end function

  subroutine scale_all(values, factor)
    real, intent(inout) :: values(:)
    real, intent(in) :: factor
    integer :: i
    do i = 1, size(values)
      values(i) = scaled(values(i))
    end do
  contains
    real function scaled(value)
      real, intent(in) :: value
      scaled = value * factor
    end function
  end subroutine
end module

program main
  use norms
  implicit none
  real :: values(1000)
  integer :: i
  values = 1
  do i = 1, 10
    print '(f6.0)', norm1(values(:100 * i))
  end do
  print *, depth(50)
  call scale_all(values(:30), 2.0)
  print '(f6.0)', values(1)
end program
