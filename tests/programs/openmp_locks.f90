! Four tasks, each all the time in a section of one lock, by what the first argument names.
program openmp_locks
  use omp_lib
  implicit none
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest_lock
  integer :: total = 0, i
  character(9) :: what
  call get_command_argument(1, what)
  call omp_init_lock(lock)
  call omp_init_nest_lock(nest_lock)
  !$omp parallel num_threads(4)
  !$omp single
  do i = 1, 4
    !$omp task
    select case (what)
    case ('set')
      call omp_set_lock(lock)
    case ('test')
      if (.not. omp_test_lock(lock)) error stop
    case ('set_nest')
      call omp_set_nest_lock(nest_lock)
    case ('test_nest')
      if (omp_test_nest_lock(nest_lock) /= 1) error stop
    end select
    call work
    if (what == 'set' .or. what == 'test') then
      call omp_unset_lock(lock)
    else
      call omp_unset_nest_lock(nest_lock)
    end if
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
contains
  subroutine work
    integer, volatile :: sum
    integer :: j
    do j = 1, 500000
      sum = total + j
    end do
  end subroutine
end program
