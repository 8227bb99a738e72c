! Numbers of partitions of a set, by a recursion that computes most of them many times.
! culprit: stirling, bell
module partitions
  implicit none
contains
  recursive function stirling(n, k) result(ways)
    integer, intent(in) :: n, k
    integer(8) :: ways
    if (k > n .or. (k == 0 .and. n > 0)) then
      ways = 0
    else if (k == n .or. k == 1) then
      ways = 1
    else
      ways = stirling(n - 1, k - 1) + k * stirling(n - 1, k) ! CULPRIT
    end if
  end function

  function bell(n) result(ways)
    integer, intent(in) :: n
    integer(8) :: ways
    integer :: k
#ifdef REPAIRED
    integer :: m
    integer(8) :: row(0:n)
    row = 0
    row(0) = 1
    do m = 1, n
      do k = m, 1, -1
        row(k) = row(k - 1) + k * row(k)
      end do
      row(0) = 0
    end do
    ways = sum(row)
#else
    ways = 0
    do k = 1, n
      ways = ways + stirling(n, k)
    end do
#endif
  end function
end module

program main
  use partitions
  implicit none
  integer :: n
  integer(8) :: all
  all = 0
  do n = 2, 19
    all = all + bell(n)
  end do
  print *, all
end program
