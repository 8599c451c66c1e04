! FAIL IMAGE where MPI has windows, as between nodes: the others learn it from STAT=, still reach one another, and are
! told that nothing can be allocated any more, instead of waiting for the failed image.
program failed_between
    use, intrinsic :: iso_fortran_env, only: stat_failed_image
    implicit none
    integer :: x[*], me, n, code, next
    integer, allocatable :: before(:)[:], after(:)[:]
    character(len=200) :: message

    me = this_image()
    n = num_images()
    allocate (before(20000)[*])
    before = me
    x = 0
    sync all
    if (me == n) fail image
    sync all (stat=code)
    if (code /= stat_failed_image) error stop 'sync all'
    if (any(failed_images() /= n) .or. size(failed_images()) /= 1) error stop 'failed_images'
    next = 1 + mod(me, n - 1)
    x[next] = me
    sync all (stat=code)
    if (x /= 1 + modulo(me - 2, n - 1)) error stop 'a put after a failure'
    if (before(20000)[next] /= next) error stop 'a get after a failure'
    message = ' '
    allocate (after(20000)[*], stat=code, errmsg=message)
    if (code == 0 .or. code == stat_failed_image .or. index(message, 'an image has failed') == 0) error stop 'allocate'
    deallocate (before, stat=code)
    if (code == 0) error stop 'deallocate'
    if (me == 1) print '(a)', 'Test passed.'
end program failed_between
