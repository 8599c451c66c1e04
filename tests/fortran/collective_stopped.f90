! An image stops before collective subroutines that the others call: STAT= tells them, and they go on.
program collective_stopped
    use, intrinsic :: iso_fortran_env, only: stat_stopped_image
    implicit none
    integer :: value, stat, last, i
    logical :: right(2)[*]

    last = num_images()
    right = .true.
    sync all
    if (this_image() == last .and. last > 1) stop
    if (last > 1) then
        value = this_image()
        call co_sum(value, stat=stat)
        right(1) = stat == stat_stopped_image
        call co_broadcast(value, last, stat=stat)
        right(2) = stat == stat_stopped_image
    end if
    ! Those that are left synchronise in pairs.
    if (this_image() > 1) then
        sync images (1)
        stop
    end if
    do i = 2, last - 1
        sync images (i)
        right = right .and. right(:)[i]
    end do
    if (.not. all(right)) error stop 1
    print '(a)', 'Test passed.'
end program
