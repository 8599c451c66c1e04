! Locks: arrays of them on every image, each protecting a counter; ACQUIRED_LOCK=, STAT= and ERRMSG=;
! allocatable locks.
program locks
    use, intrinsic :: iso_fortran_env, only: lock_type, stat_locked, stat_locked_other_image
    use testing
    implicit none
    integer, parameter :: many = 3
    type(lock_type) :: guard(many)[*], alone[*]
    type(lock_type), allocatable :: dynamic(:)[:]
    integer :: counter(many)[*], me, n, times

    me = this_image()
    n = num_images()
    times = at_most(15)
    call protected_counters()
    call tried_locks()
    call errors()
    call allocatable_locks()
    call finish()

contains

    subroutine protected_counters()
        integer :: i, j, k, value
        counter = 0
        sync all
        do i = 1, times
            do k = 1, n
                do j = 1, many
                    lock (guard(j)[k])
                    value = counter(j)[k]
                    counter(j)[k] = value + j
                    unlock (guard(j)[k])
                end do
            end do
        end do
        sync all
        call check(all(counter == [(times * n * j, j = 1, many)]), 'protected counters')
        sync all
    end subroutine

    subroutine tried_locks()
        logical :: acquired
        if (me == 1) then
            lock (alone[n], acquired_lock=acquired)
            call check(acquired, 'a free lock')
        end if
        sync all
        if (me > 1) then
            acquired = .true.
            lock (alone[n], acquired_lock=acquired)
            call check(.not. acquired, 'a lock that image 1 holds')
        end if
        sync all
        if (me == 1) unlock (alone[n])
        sync all
        ! Own locks, without brackets.
        lock (alone)
        unlock (alone)
        sync all
    end subroutine

    subroutine errors()
        integer :: stat
        character(100) :: text
        if (me == n) then
            text = ' '
            lock (alone[1], stat=stat, errmsg=text)
            call check(stat == 0 .and. text == ' ', 'no error')
            lock (alone[1], stat=stat, errmsg=text)
            call check(stat == stat_locked .and. text /= ' ', 'a lock that this image holds already')
        end if
        sync all
        if (me == 1 .and. n > 1) then
            unlock (alone[1], stat=stat)
            call check(stat == stat_locked_other_image, 'unlock of another image''s lock')
        end if
        sync all
        if (me == n) then
            unlock (alone[1])
            text = ' '
            unlock (alone[1], stat=stat, errmsg=text)
            call check(stat /= 0 .and. text /= ' ', 'unlock of a free lock')
        end if
        sync all
    end subroutine

    subroutine allocatable_locks()
        integer :: i, value
        allocate (dynamic(0:1)[*])
        counter(1) = 0
        sync all
        do i = 1, times
            lock (dynamic(1)[1])
            value = counter(1)[1]
            counter(1)[1] = value + 1
            unlock (dynamic(1)[1])
        end do
        sync all
        if (me == 1) call check(counter(1) == n * times, 'allocatable lock')
        deallocate (dynamic)
    end subroutine
end program
