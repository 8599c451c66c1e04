! Coarrays as dummy arguments: explicit and assumed shape, scalar, allocatable, sections, in modules.
module fields
    implicit none
    integer, allocatable :: field(:, :)[:]
    integer, protected :: total[*] = 0

contains

    subroutine make_field(n)
        integer, intent(in) :: n

        allocate (field(n, 2 * n)[*])
        field = this_image()
    end subroutine make_field

    subroutine add(number, image)
        integer, intent(in) :: number, image

        total[image] = total[image] + number
    end subroutine add
end module fields

program arguments
    use fields, only: field, make_field, total, add
    use testing, only: check, finish
    implicit none

    integer :: x(10, 5)[*], s[*]
    integer, allocatable :: a(:)[:]
    integer :: me, images, next, i

    me = this_image()
    images = num_images()
    next = mod(me, images) + 1
    x = reshape([(1000 * me + i, i = 1, 50)], [10, 5])
    s = me
    sync all

    call explicit(x(:, 2), 10)
    call explicit(x, 50)
    call assumed(x, 0)
    call assumed(x(:, 2:4), 10)
    call assumed_column(x(:, 3))
    call scalar(s)
    call scalar_element(x(4, 5))
    call allocatable_one(a)
    call check(allocated(a), 'allocated in a procedure')
    call check(all(a(:)[next] == next), 'a coarray from a procedure')
    sync all
    call owner(a)
    call check(.not. allocated(a), 'deallocated in a procedure')

    call make_field(3)
    sync all
    call check(all(field(:, :)[next] == next) .and. size(field) == 18, 'a coarray of a module')
    sync all
    field(2:3, 6:1:-1)[next] = me
    sync all
    call check(all(field(2:3, :) == 1 + mod(me + images - 2, images)), 'put to a coarray of a module')
    ! One image at a time.
    do i = 1, images
        if (i == me) call add(me, 1)
        sync all
    end do
    if (me == 1) call check(total == images * (images + 1) / 2, 'a protected coarray of a module')
    call finish()

contains

    subroutine explicit(y, n)
        integer, intent(in) :: n
        integer, intent(inout) :: y(-1:n - 2)[*]
        integer :: first, here(n), j

        first = y(-1)
        here = y(:)[next]
        call check(all(here == [(first + 1000 * (next - me) + j, j = 0, n - 1)]), 'explicit shape')
        here(1:2) = y(n - 2:n - 3:-1)[next]
        call check(all(here(1:2) == first + 1000 * (next - me) + [n - 1, n - 2]), 'explicit shape, section')
        sync all
    end subroutine explicit

    subroutine assumed(y, shift)
        integer, intent(inout) :: y(0:, :)[*]
        integer, intent(in) :: shift
        integer :: got(10)

        got = y(:, 2)[next]
        call check(all(got == [(1000 * next + shift + 10 + i, i = 1, 10)]), 'assumed shape')
        call check(y(9, size(y, 2))[next] == 1000 * next + shift + 10 * size(y, 2), 'last of assumed shape')
        sync all
    end subroutine assumed

    subroutine assumed_column(y)
        integer, intent(inout) :: y(:)[*]
        integer :: kept(10)

        kept = y
        sync all
        y(2:10:4)[next] = [-1, -2, -3]
        sync all
        call check(all(y(2:10:4) == [-1, -2, -3]) .and. all(y(1:9:2) == kept(1:9:2)), 'put to assumed shape')
        sync all
        y = kept
        sync all
    end subroutine assumed_column

    subroutine scalar(y)
        integer, intent(inout) :: y[*]

        call check(y[next] == next, 'scalar')
        sync all
        y[next] = -me
        sync all
        call check(y[next] == -me, 'put to a scalar')
        sync all
    end subroutine scalar

    subroutine scalar_element(y)
        integer, intent(inout) :: y[*]

        call check(y[next] == 1000 * next + 44, 'an element as a scalar')
        sync all
    end subroutine scalar_element

    subroutine allocatable_one(y)
        integer, allocatable, intent(inout) :: y(:)[:]

        allocate (y(me + 5 - me)[*])
        y = me
        sync all
    end subroutine allocatable_one

    subroutine owner(y)
        integer, allocatable, intent(inout) :: y(:)[:]

        y(2)[next] = -me
        sync all
        call check(y(2)[next] == -me, 'put to an allocatable argument')
        deallocate (y)
    end subroutine owner
end program arguments
