! Teams: formed by number, entered three deep, with coarrays, collectives, locks, events and critical
! sections in them.
program teams
    use, intrinsic :: iso_fortran_env, only: event_type, lock_type, team_type
    use testing, only: check, finish, pick
    implicit none

    type :: structure
        integer, allocatable :: list(:)
    end type structure

    integer, parameter :: initial_number = -1
    integer :: x(3)[*], counter[*], me, images
    type(structure) :: outer[*]
    type(lock_type) :: lock_of[*]
    type(event_type) :: event_of[*]
    integer, allocatable :: saved(:)[:]

    me = this_image()
    images = num_images()
    allocate (saved(2)[*])
    saved = me
    x = me
    counter = 0
    sync all
    call check(team_number() == initial_number, 'number of the initial team')
    call halves()
    call nested()
    call alone()
    call many()
    call put_by_team()
    call unequal()
    call components()
    call synchronised()
    call check(all(saved == me), 'coarray of the initial team')
    call finish()

contains

    ! In the order of the images.
    subroutine halves()
        type(team_type) :: half
        integer :: number, sum_of, i, expected, members

        number = merge(1, 2, mod(me, 2) == 1)
        form team (number, half)
        call check(num_images() == images, 'images before the team')
        change team (half)
            call check(team_number() == number, 'team_number()')
            call check(team_number(half) == number, 'team_number(team)')
            call check(this_image() == (me + 1)/2, 'this_image()')
            members = (images + merge(1, 0, number == 1))/2
            call check(num_images() == members, 'num_images()')
            call check(image_index(x, [num_images()]) == num_images(), 'image_index')
            call check(image_index(x, [num_images() + 1]) == 0, 'image_index beyond')
            sum_of = me
            call co_sum(sum_of)
            expected = 0
            do i = 2 - mod(me, 2), images, 2
                expected = expected + i
            end do
            call check(sum_of == expected, 'co_sum')
            sum_of = me
            call co_max(sum_of, result_image=1)
            if (this_image() == 1) call check(sum_of == number + 2*(num_images() - 1), 'co_max')
            sum_of = me
            call co_broadcast(sum_of, num_images())
            call check(sum_of == number + 2*(num_images() - 1), 'co_broadcast')
            ! The same coarray by other numbers.
            do i = 1, num_images()
                sum_of = x(2)[i]
                call check(sum_of == number + 2*(i - 1), 'get')
            end do
            sync all
            x(3)[mod(this_image(), num_images()) + 1] = me
            sync all
            i = modulo(this_image() - 2, num_images()) + 1
            call check(x(3) == number + 2*(i - 1), 'put')
            x(3) = me
            call inside()
        end team
        call check(this_image() == me .and. num_images() == images, 'after the team')
        call check(team_number() == initial_number, 'number after the team')
        sync all
    end subroutine halves

    ! What is allocated in a team is deallocated at its end.
    subroutine inside()
        integer, allocatable :: a(:)[:], b(:, :)[:], scalar[:]
        integer :: i, n, value

        n = 10*num_images()
        allocate (a(n)[*], scalar[*])
        allocate (b(-1:1, 20000)[0:*])
        a = this_image()
        b = me
        scalar = -me
        sync all
        do i = 1, num_images()
            value = a(n)[i]
            call check(value == i, 'allocated in a team')
            value = b(1, 20000)[i - 1]
            call check(value == x(1)[i], 'large')
            value = scalar[i]
            call check(value == -x(1)[i], 'scalar')
        end do
        sync all
        deallocate (b)
    end subroutine inside

    ! Three deep; numbers of different parents have nothing to do with one another.
    subroutine nested()
        type(team_type) :: first, second, third
        integer, allocatable :: a(:)[:]
        integer :: total

        form team (1 + (me - 1)/4, first)
        change team (first)
            form team (1 + mod(this_image(), 2), second)
            allocate (a(5)[*])
            a = me
            change team (second)
                form team (this_image(), third)
                change team (third)
                    call check(num_images() == 1 .and. this_image() == 1, 'three deep')
                    total = 1
                    call co_sum(total)
                    call check(total == 1, 'co_sum three deep')
                    call check(all(a(:)[1] == me), 'a coarray of the team but two')
                    sync team (second)
                end team
                sync team (first)
                total = 1
                call co_sum(total)
                call check(total == num_images(), 'co_sum two deep')
            end team
            call check(allocated(a), 'allocated in the outer team')
        end team
        call check(.not. allocated(a), 'deallocated at the end of the team')
        allocate (a(7)[*])
        a = me
        sync all
        call check(all(a(:)[images] == images), 'allocated again')
    end subroutine nested

    subroutine alone()
        type(team_type) :: own
        integer, allocatable :: a(:)[:]

        form team (me, own)
        change team (own)
            call check(this_image() == 1 .and. num_images() == 1, 'a team of one')
            allocate (a(me)[*])
            a = me
            sync all
            sync images (*)
            call check(all(a(:)[1] == me), 'its coarray')
        end team
    end subroutine alone

    ! Teams are formed again and again, also with other members.
    subroutine many()
        type(team_type) :: team
        integer :: i, total

        do i = 1, 300
            form team (1 + mod(me*i, 1 + mod(i, 3)), team)
            change team (team)
                total = 1
                call co_sum(total)
                call check(total == num_images(), 'team formed again')
            end team
        end do
    end subroutine many

    ! x[k, team=parent] on the left.
    subroutine put_by_team()
        type(team_type) :: all_images, own

        form team (1, all_images)
        x = 0
        sync all
        change team (all_images)
            form team (me, own)
            change team (own)
                x(1)[mod(me, images) + 1, team=all_images] = me
                sync team (all_images)
                call check(x(1) == modulo(me - 2, images) + 1, 'put by team=')
            end team
        end team
        x = me
        sync all
    end subroutine put_by_team

    ! Teams that do different things at the same time.
    subroutine unequal()
        type(team_type) :: team
        integer, allocatable :: a(:)[:]
        integer :: i

        form team (merge(1, 2, me == 1), team)
        change team (team)
            do i = 1, merge(1, 20, me == 1)
                allocate (a(100*i)[*])
                a = i
                deallocate (a)
            end do
        end team
        do i = 1, 3
            allocate (a(1000*i)[*])
            a = me
            sync all
            call check(all(a(:)[images] == images), 'after unequal teams')
            deallocate (a)
        end do
    end subroutine unequal

    subroutine components()
        type(team_type) :: team
        integer, allocatable :: got(:)

        form team (1 + mod(me, 2), team)
        change team (team)
            allocate (outer%list(me))
            outer%list = me
            sync all
            got = outer[num_images()]%list(:)
            call check(size(got) == x(1)[num_images()] .and. all(got == size(got)), 'component')
            sync all
        end team
        deallocate (outer%list)
    end subroutine components

    ! Locks, events, critical sections, sync images.
    subroutine synchronised()
        type(team_type) :: team
        integer :: i, next, before

        counter = 0
        form team (1 + mod(me, 2), team)
        change team (team)
            do i = 1, 20
                lock (lock_of[1])
                counter[1] = counter[1] + 1
                unlock (lock_of[1])
            end do
            sync all
            if (this_image() == 1) call check(counter == 20*num_images(), 'lock')
            counter = 0
            next = mod(this_image(), num_images()) + 1
            before = modulo(this_image() - 2, num_images()) + 1
            event post (event_of[next])
            event wait (event_of)
            sync all
            if (next /= this_image()) then
                if (next == before) then
                    sync images (next)
                else
                    sync images ([next, before])
                end if
            end if
            sync images (*)
            counter = 0
            sync all
            do i = 1, 20
                critical
                    counter[1] = counter[1] + 1
                end critical
            end do
            sync all
            if (this_image() == 1) call check(counter == 20*num_images(), 'critical')
        end team
        sync all
    end subroutine synchronised
end program teams
