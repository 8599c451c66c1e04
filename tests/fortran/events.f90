! Events: a ring, many posts to one image, UNTIL_COUNT=, EVENT_QUERY, arrays, allocatable ones; data
! written before a post are there after the wait.
program events
    use, intrinsic :: iso_fortran_env, only: event_type
    use testing
    implicit none
    integer, parameter :: rounds = 20, posts = 50
    type(event_type) :: token[*], from(8)[*]
    type(event_type), allocatable :: dynamic(:)[:]
    integer :: value[*], me, n, next

    me = this_image()
    n = num_images()
    next = merge(1, me + 1, me == n)
    call ring()
    call many_posts()
    call pairs()
    call queries()
    call allocatable_events()
    call finish()

contains

    ! A number goes around, and each image adds 1.
    subroutine ring()
        integer :: round, seen
        value = 0
        sync all
        do round = 1, rounds
            if (me > 1 .or. round > 1) event wait (token)
            seen = value
            call check(seen == (round - 1) * n + me - 1, 'value that went around')
            if (next == 1) then
                if (round < rounds) then
                    value[1] = seen + 1
                    event post (token[1])
                end if
            else
                value[next] = seen + 1
                event post (token[next])
            end if
        end do
        sync all
    end subroutine

    subroutine many_posts()
        integer :: i, count, stat
        do i = 1, posts
            event post (token[1])
        end do
        if (me == 1) then
            event wait (token, until_count=posts * n - 3, stat=stat)
            call check(stat == 0, 'stat of event wait')
            event wait (token, until_count=3)
            call event_query(token, count)
            call check(count == 0, 'all posts were waited for')
        end if
        sync all
    end subroutine

    ! An event for each sender.
    subroutine pairs()
        integer :: i, stat
        do i = 1, n
            event post (from(me)[i], stat=stat)
            call check(stat == 0, 'stat of event post')
        end do
        do i = n, 1, -1
            event wait (from(i))
        end do
        sync all
    end subroutine

    subroutine queries()
        integer :: i, count, stat
        call event_query(token, count)
        call check(count == 0, 'no posts yet')
        sync all
        do i = 1, me
            event post (token[me])
        end do
        call event_query(token, count, stat=stat)
        call check(stat == 0 .and. count == me, 'own posts')
        event wait (token, until_count=me)
        call event_query(token, count)
        call check(count == 0, 'after the wait')
        event post (token)
        event wait (token, until_count=-5)
        call event_query(token, count)
        call check(count == 0, 'a count below 1 is 1')
        sync all
    end subroutine

    subroutine allocatable_events()
        allocate (dynamic(2:4)[*])
        event post (dynamic(3)[next])
        event post (dynamic(4)[next])
        event wait (dynamic(3))
        event wait (dynamic(4))
        deallocate (dynamic)
    end subroutine
end program
