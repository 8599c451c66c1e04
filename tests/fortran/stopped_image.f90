! An image stops early; the others learn it from what they wait for, and go on.
program stopped_image
    use, intrinsic :: iso_fortran_env, only: stat_stopped_image
    implicit none

    integer :: x[*], y[*], z[*], code, last, i
    character(len=80) :: message
    logical :: right

    x = this_image()
    y = 0
    last = num_images()
    sync all
    if (this_image() == last .and. last > 1) stop
    right = .true.
    if (last > 1) then
        message = ''
        sync all (stat=code, errmsg=message)
        right = code == stat_stopped_image .and. message /= ''
        ! Its memory is still there.
        right = right .and. x[last] == last
        z[last] = this_image()
        message = ''
        sync images (last, stat=code, errmsg=message)
        right = right .and. code == stat_stopped_image .and. message /= ''
        right = right .and. image_status(last) == stat_stopped_image
        right = right .and. any(stopped_images() == last)
    end if
    ! Those that are left synchronise in pairs.
    y = merge(1, 2, right)
    if (this_image() == 1) then
        do i = 2, last - 1
            sync images (i)
            right = right .and. y[i] == 1
        end do
        if (.not. right) error stop 1
        print '(a)', 'Test passed.'
    else
        sync images (1)
        if (.not. right) error stop 1
    end if
end program stopped_image
