! A region of one thread by what the program says, its loop's iterations chunks of their own.
program openmp_threads
  use omp_lib
  implicit none
  integer, volatile :: total = 0
  integer :: i, j
  call omp_set_num_threads(1)
  !$omp parallel do schedule(dynamic) private(j)
  do i = 1, 4
    do j = 1, 100000
      total = total + j
    end do
  end do
end program
