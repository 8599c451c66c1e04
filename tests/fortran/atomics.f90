! Atomic subroutines: sums that all images contend for, tickets, compare and swap, bits, logicals,
! array elements and components.
program atomics
    use, intrinsic :: iso_fortran_env, only: atomic_int_kind, atomic_logical_kind, int8, int64
    use testing
    implicit none
    integer, parameter :: times_max = 200

    type :: mixed
        real :: before
        integer(atomic_int_kind) :: counters(3)
    end type

    integer(atomic_int_kind) :: counter[*], ticket[*], drawn(8 * times_max)[*], bits[*], winners[*]
    logical(atomic_logical_kind) :: flag[*]
    type(mixed) :: inside[*]
    integer :: me, n, times

    me = this_image()
    n = num_images()
    times = at_most(times_max)
    call sums()
    call tickets()
    call compare_and_swap()
    call bit_operations()
    call logicals()
    call components()
    call conversions()
    call finish()

contains

    subroutine sums()
        integer :: i
        integer(atomic_int_kind) :: value
        call atomic_define(counter, 10)
        sync all
        do i = 1, times
            call atomic_add(counter[1], me)
        end do
        sync all
        call atomic_ref(value, counter[1])
        call check(value == 10 + times * (n * (n + 1)) / 2, 'contended sum')
        if (me > 1) then
            call atomic_ref(value, counter)
            call check(value == 10, 'an image without operations')
        end if
        sync all
    end subroutine

    ! Every number is drawn once.
    subroutine tickets()
        integer :: i
        integer(atomic_int_kind) :: number, owner
        call atomic_define(ticket, 0)
        do i = 1, size(drawn)
            call atomic_define(drawn(i), 0)
        end do
        sync all
        do i = 1, times
            call atomic_fetch_add(ticket[n], 1, number)
            call check(number >= 0 .and. number < n * times, 'ticket out of range')
            call atomic_cas(drawn(number + 1)[1], owner, 0, me)
            call check(owner == 0, 'ticket drawn twice')
        end do
        sync all
        if (me == 1) call check(all(drawn(1:n * times) > 0), 'ticket not drawn')
        sync all
    end subroutine

    subroutine compare_and_swap()
        integer :: i
        integer(atomic_int_kind) :: seen, expected
        call atomic_define(counter, 0)
        sync all
        do i = 1, times
            call atomic_ref(expected, counter[1])
            do
                call atomic_cas(counter[1], seen, expected, expected + 1)
                if (seen == expected) exit
                expected = seen
            end do
        end do
        sync all
        call atomic_ref(seen, counter[1])
        call check(seen == n * times, 'increments by compare and swap')
        sync all
    end subroutine

    subroutine bit_operations()
        integer(atomic_int_kind) :: old, value
        call atomic_define(bits, 0)
        sync all
        call atomic_or(bits[n], ishft(1, me))
        sync all
        call atomic_ref(value, bits[n])
        call check(value == ishft(1, n + 1) - 2, 'or')
        sync all
        call atomic_fetch_and(bits[n], not(ishft(1, me)), old)
        call check(btest(old, me), 'fetch and')
        sync all
        call atomic_ref(value, bits[n])
        call check(value == 0, 'and')
        sync all
        call atomic_xor(bits[n], ishft(1, me))
        call atomic_fetch_xor(bits[n], ishft(1, me), old)
        call check(btest(old, me), 'fetch xor')
        call atomic_fetch_or(bits[n], ishft(1, me + 10), old)
        call check(.not. btest(old, me) .and. .not. btest(old, me + 10), 'fetch or')
        call atomic_and(bits[n], not(ishft(1, me + 10)))
        sync all
        call atomic_ref(value, bits[n])
        call check(value == 0, 'xor and and')
        sync all
    end subroutine

    ! One image alone turns the flag.
    subroutine logicals()
        logical(atomic_logical_kind) :: old, value
        integer(atomic_int_kind) :: count
        call atomic_define(flag, .false.)
        call atomic_define(winners, 0)
        sync all
        call atomic_cas(flag[1], old, .false., .true.)
        if (.not. old) call atomic_add(winners[1], 1)
        sync all
        call atomic_ref(value, flag[1])
        call atomic_ref(count, winners[1])
        call check(value, 'logical')
        call check(count == 1, 'logical compare and swap')
        if (me > 1) then
            call atomic_ref(value, flag)
            call check(.not. value, 'a logical that nobody changed')
        end if
        sync all
    end subroutine

    subroutine components()
        integer :: stat
        integer(atomic_int_kind) :: value
        inside%counters = [1, 2, 3]
        inside%before = 4
        sync all
        call atomic_add(inside[1]%counters(2), 5, stat=stat)
        call check(stat == 0, 'stat of atomic_add')
        sync all
        call atomic_ref(value, inside[1]%counters(2), stat=stat)
        call check(stat == 0 .and. value == 2 + 5 * n, 'component')
        call check(inside%counters(1) == 1 .and. inside%counters(3) == 3 .and. inside%before == 4, &
                   'neighbours of a component')
        sync all
    end subroutine

    subroutine conversions()
        integer(int64) :: wide
        integer(int8) :: narrow
        integer(atomic_int_kind) :: value
        if (me == 1) then
            wide = -7
            narrow = 5
            call atomic_define(counter, wide)
            call atomic_add(counter, narrow)
            call atomic_ref(value, counter)
            call check(value == -2, 'arguments of other kinds')
        end if
    end subroutine
end program
