! Rounds of all statements that have STAT=, until an image fails at a random moment: the arguments are a
! seed and a way (0: FAIL IMAGE, 6: abort, 9: SIGKILL, each at a random statement; 14: SIGALRM at a random
! time, anywhere). The others end the round, form a team without it and go on for some rounds.
program soak
    use, intrinsic :: iso_c_binding, only: c_int
    use, intrinsic :: iso_fortran_env, only: event_type, lock_type, stat_failed_image, team_type
    implicit none

    interface
        integer(c_int) function signal_self(number) bind(c, name='raise')
            import :: c_int
            integer(c_int), value :: number
        end function signal_self
        integer(c_int) function alarm_after(microseconds, again) bind(c, name='ualarm')
            import :: c_int
            integer(c_int), value :: microseconds, again
        end function alarm_after
    end interface

    integer, parameter :: rounds_max = 100000, rounds_after = 3, statements = 9
    integer :: x[*], counter[*], me, images, seed, way, victim, moment, steps, round, code
    integer(c_int) :: ignored
    type(lock_type) :: lock_of[*]
    type(event_type) :: event_of[*]
    type(team_type) :: survivors
    logical :: lost

    me = this_image()
    images = num_images()
    call arguments()
    x = 0
    counter = 0
    steps = 0
    lost = .false.
    sync all
    if (images > 1 .and. me == victim .and. way == 14) ignored = alarm_after(moment*997, 0)
    do round = 1, merge(rounds_max, rounds_after, images > 1 .and. way >= 0)
        call one_round()
        sync all (stat=code)
        if (code == stat_failed_image) then
            lost = .true.
            exit
        end if
        if (code /= 0) error stop 'sync all'
    end do
    if (lost) then
        if (any(failed_images() /= victim)) error stop 'failed_images'
        form team (1, survivors)
        change team (survivors)
            if (num_images() /= images - 1) error stop 'survivors'
            steps = -rounds_max*statements
            do round = 1, rounds_after
                call one_round()
                sync all
            end do
        end team
    end if
    sync all (stat=code)
    if (me == merge(2, 1, victim == 1 .and. lost)) print '(a)', 'Test passed.'

contains

    subroutine arguments()
        character(len=20) :: text

        seed = 1
        way = -1
        call get_command_argument(1, text)
        if (text /= '') read (text, *) seed
        call get_command_argument(2, text)
        if (text /= '') read (text, *) way
        victim = 1 + mod(seed, images)
        moment = 1 + mod(seed*7919, 211)
    end subroutine arguments

    ! Between two statements.
    subroutine step()
        steps = steps + 1
        if (me /= victim .or. steps /= moment .or. images == 1) return
        if (way == 0) fail image
        if (way == 6 .or. way == 9) ignored = signal_self(way)
    end subroutine step

    subroutine right(condition)
        logical, intent(in) :: condition

        if (.not. condition .and. code /= stat_failed_image) error stop 'wrong'
    end subroutine right

    ! Every image executes all statements, whatever happens; after a failure an event may not come.
    subroutine one_round()
        integer, allocatable :: a(:)[:]
        type(team_type) :: half
        integer :: next, before, value, total

        next = mod(this_image(), num_images()) + 1
        before = modulo(this_image() - 2, num_images()) + 1
        call step()
        x[next] = this_image()
        call step()
        if (next == this_image()) then
            sync memory (stat=code)
        else if (next == before) then
            sync images ([next], stat=code)
        else
            sync images ([next, before], stat=code)
        end if
        call right(code == 0 .and. x == before)
        call step()
        lock (lock_of[1], stat=code)
        value = counter[1]
        counter[1] = value + 1
        call step()
        unlock (lock_of[1], stat=code)
        call step()
        total = 1
        call co_sum(total, stat=code)
        call right(total == num_images())
        call step()
        allocate (a(20000)[*], stat=code)
        a = me
        call step()
        deallocate (a, stat=code)
        critical
            call step()
        end critical
        form team (1 + mod(this_image(), 2), half)
        change team (half)
            total = 1
            call co_sum(total, stat=code)
            call right(total == num_images())
            call step()
            allocate (a(10)[*], stat=code)
        end team
        event post (event_of[next], stat=code)
        call step()
        if (size(failed_images()) == 0) event wait (event_of, stat=code)
    end subroutine one_round
end program soak
