! Critical constructs: one image at a time, each construct on its own, also within procedures.
program critical_sections
    use testing
    implicit none
    integer :: total[*], inside[*], calls[*], me, n, i, times

    me = this_image()
    n = num_images()
    times = at_most(30)
    total = 0
    inside = 0
    calls = 0
    sync all
    do i = 1, times
        critical
            inside[1] = inside[1] + 1
            call check(inside[1] == 1, 'another image is inside')
            total[1] = total[1] + me
            inside[1] = inside[1] - 1
        end critical
        call count_call()
        if (mod(i, 3) == 0) call count_call()
    end do
    sync all
    call check(total[1] == times * (n * (n + 1)) / 2, 'sum of all images')
    call check(calls[n] == n * (times + times / 3), 'calls of a procedure')
    call finish()

contains

    subroutine count_call()
        critical
            calls[n] = calls[n] + 1
        end critical
    end subroutine
end program
