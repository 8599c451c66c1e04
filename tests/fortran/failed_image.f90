! An image fails in a way that the argument names (0: FAIL IMAGE, or a signal's number); the others
! learn it from each statement that has STAT=, and go on. With 1 image nothing fails.
program failed_image
    use, intrinsic :: iso_c_binding, only: c_int
    use, intrinsic :: iso_fortran_env, only: event_type, lock_type, stat_failed_image, team_type
    implicit none

    interface
        integer(c_int) function signal_self(number) bind(c, name='raise')
            import :: c_int
            integer(c_int), value :: number
        end function signal_self
    end interface

    integer :: x[*], me, images, code, next
    integer(c_int) :: way
    type(lock_type) :: lock_of[*]
    type(event_type) :: event_of[*]
    integer, allocatable :: a(:)[:], scalar[:]
    character(len=80) :: text, message
    logical :: right

    me = this_image()
    images = num_images()
    right = .true.
    way = 0
    call get_command_argument(1, text)
    if (text /= '') read (text, *) way
    if (images == 1) then
        print '(a)', 'Test passed.'
        stop
    end if
    x = me
    sync all
    if (me == 2) then
        lock (lock_of[1])
        if (way == 0) fail image
        code = signal_self(way)
        stop 9
    end if
    message = ''
    sync all (stat=code, errmsg=message)
    call told('sync all')
    right = right .and. message /= ''
    sync all (stat=code)
    call told('sync all again')
    sync images ([2], stat=code)
    call told('sync images')
    sync images (*, stat=code)
    call told('sync images (*)')
    sync memory (stat=code)
    right = right .and. code == 0
    right = right .and. image_status(2) == stat_failed_image .and. image_status(me) == 0
    right = right .and. size(failed_images()) == 1 .and. size(stopped_images()) == 0
    right = right .and. all(failed_images() == 2)
    next = x[2, stat=code]
    call told('get')
    call co_sum(way, stat=code)
    call told('co_sum')
    call co_broadcast(way, 1, stat=code)
    call told('co_broadcast')
    call held_lock()
    allocate (scalar[*], stat=code)
    call told('allocate')
    scalar = me
    allocate (a(1000)[*], stat=code)
    right = right .and. allocated(a)
    a = me
    sync all (stat=code)
    next = merge(1, merge(3, me + 1, me == 1), me == images)
    if (images == 2) next = 1
    right = right .and. all(a(:)[next] == next) .and. scalar[next] == next
    sync all (stat=code)
    deallocate (a, stat=code)
    call told('deallocate')
    right = right .and. .not. allocated(a)
    critical
        x = x + 1
    end critical
    call events()
    call survivors()
    if (.not. right) error stop 'wrong'
    sync all (stat=code)
    if (me == 1) print '(a)', 'Test passed.'

contains

    subroutine told(what)
        character(len=*), intent(in) :: what

        if (code == stat_failed_image) return
        print '(a,i0,3a,i0)', 'image ', me, ': ', what, ' gave ', code
        right = .false.
    end subroutine told

    ! One image finds the lock of the failed one; for all others it is a lock like others.
    subroutine held_lock()
        integer :: found

        lock (lock_of[1], stat=code)
        found = merge(1, 0, code == stat_failed_image)
        right = right .and. (code == 0 .or. found == 1)
        unlock (lock_of[1], stat=code)
        right = right .and. code == 0
    end subroutine held_lock

    subroutine events()
        event post (event_of[next], stat=code)
        right = right .and. code == 0
        event wait (event_of, stat=code)
        right = right .and. code == 0
    end subroutine events

    ! A team without the one that failed is like any other.
    subroutine survivors()
        type(team_type) :: team
        integer, allocatable :: b(:)[:]
        integer :: total

        form team (3, team)
        change team (team)
            right = right .and. num_images() == images - 1
            total = 1
            call co_sum(total)
            right = right .and. total == images - 1
            allocate (b(10)[*])
            b = this_image()
            sync all
            right = right .and. all(b(:)[num_images()] == num_images())
            right = right .and. size(failed_images()) == 0
        end team
    end subroutine survivors
end program failed_image
