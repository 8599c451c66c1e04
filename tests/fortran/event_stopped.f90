! Image 1 waits for a post that nobody is left to send: STAT= tells it. What was posted before counts.
program event_stopped
    use, intrinsic :: iso_fortran_env, only: event_type, stat_stopped_image
    implicit none
    type(event_type) :: ready[*]
    integer :: stat, count
    character(80) :: text

    sync all
    if (this_image() > 1) then
        event post (ready[1])
        stop
    end if
    if (num_images() > 1) then
        event wait (ready, until_count=num_images() - 1, stat=stat)
        if (stat /= 0) error stop 1
        text = ' '
        event wait (ready, stat=stat, errmsg=text)
        if (stat /= stat_stopped_image .or. text == ' ') error stop 1
        call event_query(ready, count)
        if (count /= 0) error stop 1
    end if
    print '(a)', 'Test passed.'
end program
