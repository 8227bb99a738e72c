! Collects the points of a path; each is appended by making a new array.
! culprit: trace_path, append
module paths
  implicit none
contains
  subroutine append(list, used, x)
    real(8), allocatable, intent(inout) :: list(:)
    integer, intent(inout) :: used
    real(8), intent(in) :: x
#ifdef REPAIRED
    real(8), allocatable :: larger(:)
    if (used == size(list)) then
      allocate (larger(2 * used + 16))
      larger(1:used) = list(1:used)
      call move_alloc(larger, list)
    end if
    list(used + 1) = x
#else
    list = [list, x] ! CULPRIT
#endif
    used = used + 1
  end subroutine

  function trace_path(steps) result(length)
    integer, intent(in) :: steps
    real(8) :: length, x
    real(8), allocatable :: list(:)
    integer :: i, used
    allocate (list(0))
    used = 0
    x = 1
    do i = 1, steps
      x = 0.5d0 * (x + 2 / x) + mod(i, 3)
      call append(list, used, x)
    end do
    length = 0
    do i = 2, used
      length = length + abs(list(i) - list(i - 1))
    end do
  end function
end module

program main
  use paths
  implicit none
  integer :: k
  real(8) :: sum
  sum = 0
  do k = 1, 6
    sum = sum + trace_path(500 * k)
  end do
  print '(f12.3)', sum
end program
