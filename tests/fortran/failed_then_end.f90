! The statement that the argument names learns of a failed image, and each image ends right after it: who came and has
! stopped since is not what the others lacked.
program failed_then_end
    use, intrinsic :: iso_fortran_env, only: stat_failed_image
    implicit none
    integer, allocatable :: x(:)[:]
    integer :: code, total
    character(len=20) :: statement

    call get_command_argument(1, statement)
    allocate (x(8)[*])
    sync all
    if (this_image() == 2) fail image
    code = 0
    total = 1
    select case (statement)
    case ('all')
        sync all (stat=code)
    case ('images')
        sync images (*, stat=code)
    case ('sum')
        call co_sum(total, stat=code)
    case ('deallocate')
        deallocate (x, stat=code)
    end select
    if (code /= stat_failed_image) error stop 'another status than STAT_FAILED_IMAGE'
    if (this_image() == 1) print '(a)', 'Test passed.'
end program failed_then_end
