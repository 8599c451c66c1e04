! Names of places within coarrays, in brackets too, which compilers before GNU Fortran 16 do not know: those of
! ASSOCIATE and of CHANGE TEAM. Subscripts that a function returns, and teams in brackets.
program names
    use, intrinsic :: iso_fortran_env, only: event_type, team_type
    use testing, only: check, finish
    implicit none

    type :: pair
        integer :: first = -1
        logical :: second = .false.
    end type pair

    integer :: scalar[*], x(6)[*], me, images, next, previous, i
    class(pair), allocatable :: polymorphic[:]
    type(event_type), allocatable :: events(:)[:]

    me = this_image()
    images = num_images()
    next = mod(me, images) + 1
    previous = modulo(me - 2, images) + 1
    call associated_scalars()
    call associated_sections()
    call associated_events()
    call only_some_images()
    call coarrays_of_teams()
    call other_teams()
    call function_results()
    call finish()

contains

    subroutine associated_scalars()
        allocate (polymorphic[*])
        associate (name => scalar, object => polymorphic)
            name = -1
            object%first = me
            sync all
            name[next] = me
            object[next]%second = .true.
            sync all
            call check(name == previous .and. name[next] == me, 'name of a scalar')
        end associate
        call check(scalar == previous, 'scalar')
        call check(polymorphic%first == me .and. polymorphic%second, 'name of a structure')
        sync all
    end subroutine associated_scalars

    subroutine associated_sections()
        x = [(10*me + i, i = 1, 6)]
        sync all
        associate (tail => x(4:), middle => x(3))
            call check(all(tail(:)[next] == 10*next + [4, 5, 6]), 'name of a section')
            call check(middle[next] == 10*next + 3, 'name of an element')
            sync all
            tail(2)[next] = me
            middle[next] = -me
        end associate
        sync all
        call check(all(x == [10*me + 1, 10*me + 2, -previous, 10*me + 4, previous, 10*me + 6]), 'put by names')
        sync all
    end subroutine associated_sections

    ! Each image has its own.
    subroutine associated_events()
        integer :: posts

        allocate (events(images)[*])
        associate (mine => events(me), of_previous => events(previous))
            event post (mine[next])
            event wait (of_previous)
            event post (mine)
            call event_query(mine, posts)
            call check(posts == 1, 'name of an event')
        end associate
        call event_query(events(me), posts)
        call check(posts == 1, 'event')
        deallocate (events)
    end subroutine associated_events

    ! A name is no coarray that all images would have to make.
    subroutine only_some_images()
        x = me
        sync all
        if (me == 1) then
            do i = 1, 6
                associate (name => x(i))
                    name[images] = 100 + i
                end associate
            end do
        end if
        sync all
        call check(all(x == merge([(100 + i, i = 1, 6)], spread(me, 1, 6), me == images)), 'names on one image')
        sync all
    end subroutine only_some_images

    subroutine coarrays_of_teams()
        type(team_type) :: half
        integer :: number

        x = [(10*me + i, i = 1, 6)]
        scalar = 10*me + 2
        number = 1 + mod(me, 2)
        form team (number, half)
        change team (half, part[*] => x(4:6), element[*] => scalar)
            associate (first => 2 - mod(me, 2))
                call check(all(part(:)[1] == 10*first + [4, 5, 6]), 'coarray of a team')
                call check(element[1] == 10*first + 2, 'scalar as coarray of a team')
                sync all
                if (this_image() == num_images()) element[1] = 0
            end associate
            sync all
            call check(element == merge(0, 10*me + 2, this_image() == 1), 'put by a coarray of a team')
        end team
        sync all
    end subroutine coarrays_of_teams

    subroutine other_teams()
        type(team_type) :: half, whole
        integer :: value, stat

        form team (1 + mod(me, 2), half)
        whole = get_team()
        x = me
        value = 0
        sync all
        value = x(1)[1, team=half, stat=stat]
        call check(stat /= 0, 'a team that is not entered, in brackets')
        change team (half)
            value = x(1)[images, team=whole, stat=stat]
            call check(stat == 0 .and. value == images, 'the parent in brackets')
        end team
        x(2)[next] = x(1)[1, team=half, stat=stat]
        call check(stat /= 0, 'such a team of a source')
        sync all
        call check(x(2) == me, 'a put that was not done')
        sync all
    end subroutine other_teams

    ! Only where the image's memory can be reached.
    subroutine function_results()
        character(len=8) :: path

        call get_environment_variable('CAF_PATH', path)
        if (path == 'rma') return
        x = [(10*me + i, i = 1, 6)]
        sync all
        call check(all(x(every(2, 6))[next] == 10*next + [2, 4, 6]), 'subscripts of a function')
        sync all
    end subroutine function_results

    function every(step, last)
        integer, intent(in) :: step, last
        integer :: every(last/step)

        every = [(i*step, i = 1, last/step)]
    end function every
end program names
