! Allocatable components of a coarray, of different size on every image: get, put, all kinds of
! subscripts, allocated(), reallocation, from one image to another.
module boxes
    use, intrinsic :: iso_fortran_env, only: int8, real64
    implicit none

    type :: box
        integer :: number
        real, allocatable :: a(:)
        real(real64) :: fixed(3, 4)
        integer, allocatable :: m(:, :)
        integer, allocatable :: scalar
        character(4), allocatable :: words(:)
    end type

    type(box) :: x[*]

contains

    logical function has_a(k)
        integer, intent(in) :: k
        has_a = allocated(x[k]%a)
    end function

    logical function has_m(k)
        integer, intent(in) :: k
        has_m = allocated(x[k]%m)
    end function
end module

program components
    use boxes
    use testing
    implicit none
    integer :: me, n, next, i

    me = this_image()
    n = num_images()
    next = merge(1, me + 1, me == n)
    call fill()
    call whole()
    call ranges()
    call vectors()
    call constant_shape()
    call matrices()
    call scalars()
    call puts()
    call between_images()
    call presence()
    call finish()

contains

    ! What image k has in a: 5 k elements.
    pure function expected(k) result(values)
        integer, intent(in) :: k
        real :: values(5 * k)
        integer :: j
        values = [(1000. * k + j, j=1, 5 * k)]
    end function

    subroutine fill()
        x%number = me
        allocate (x%a(5 * me))
        x%a = expected(me)
        x%fixed = reshape([(me * 100._real64 + i, i=1, 12)], [3, 4])
        allocate (x%m(-1:me, 2:3))
        x%m = me
        x%m(me, 3) = -me
        allocate (x%words(2))
        x%words = ['two ', 'word']
        sync all
    end subroutine

    subroutine whole()
        real, allocatable :: y(:)
        real(real64), allocatable :: wide(:)
        integer :: k
        do k = 1, n
            y = x[k]%a
            call check(size(y) == 5 * k, 'size of a whole component')
            call check(all(y == expected(k)), 'a whole component')
            call check(lbound(y, 1) == 1 .and. y(5 * k) == 1000 * k + 5 * k, 'bounds of a whole component')
            call check(x[k]%number == k, 'a component that is not allocatable')
            call check(sum(x[k]%a) == sum(expected(k)), 'a component in an expression')
            allocate (wide(5 * k))
            wide(:) = x[k]%a
            call check(all(wide == expected(k)), 'conversion')
            deallocate (wide)
            call check(size(x[k]%a) == 5 * k, 'size of another image''s component')
        end do
    end subroutine

    subroutine ranges()
        real :: y(5), z(10)
        real(real64) :: wide(2)
        integer :: k
        do k = 1, n
            z = 0
            y = x[k]%a(1:5)
            call check(all(y == 1000 * k + [1, 2, 3, 4, 5]), 'range')
            if (k == 1) then
                y(1:3) = x[k]%a(::2)
                call check(all(y(1:3) == 1000 * k + [1, 3, 5]), 'stride')
            end if
            y(5:1:-2) = x[k]%a(5:1:-2)
            call check(all(y(1:5:2) == 1000 * k + [1, 3, 5]), 'backwards on both sides')
            y(1:2) = x[k]%a(2:3)
            call check(all(y(1:2) == 1000 * k + [2, 3]), 'part')
            y(1:3) = x[k]%a(:3)
            call check(all(y(1:3) == 1000 * k + [1, 2, 3]), 'open start')
            y(1:3) = x[k]%a(5 * k - 2:)
            call check(all(y(1:3) == 1000 * k + 5 * k + [-2, -1, 0]), 'open end')
            z(1::4) = x[k]%a(3:5)
            call check(all(z(1::4) == 1000 * k + [3, 4, 5]) .and. count(z == 0) == 7, 'scattered')
            y(1) = x[k]%a(4)
            call check(y(1) == 1000 * k + 4, 'one element')
            wide = x[k]%a(2:5:3)
            call check(all(wide == 1000 * k + [2, 5]), 'range with conversion')
            y(1:0) = x[k]%a(3:2)
        end do
    end subroutine

    subroutine vectors()
        integer :: at(4), k
        integer(int8) :: narrow(2)
        real :: y(4)
        at = [5, 1, 4, 1]
        narrow = [2_int8, 5_int8]
        do k = 1, n
            y = x[k]%a(at)
            call check(all(y == 1000 * k + at), 'vector subscript')
            y(2:3) = x[k]%a(narrow)
            call check(all(y(2:3) == 1000 * k + narrow), 'narrow vector subscript')
        end do
    end subroutine

    subroutine constant_shape()
        real(real64) :: f(3, 4), row(4), element
        real :: narrow(3)
        integer :: k
        do k = 1, n
            f = x[k]%fixed
            call check(all(f == reshape([(k * 100 + i, i=1, 12)], [3, 4])), 'array of constant shape')
            row = x[k]%fixed(2, :)
            call check(all(row == k * 100 + [2, 5, 8, 11]), 'row')
            row(1:2) = x[k]%fixed(3, 4:2:-2)
            call check(all(row(1:2) == k * 100 + [12, 6]), 'row backwards')
            narrow = x[k]%fixed(:, 3)
            call check(all(narrow == k * 100 + [7, 8, 9]), 'column with conversion')
            element = x[k]%fixed(3, 2)
            call check(element == k * 100 + 6, 'element')
        end do
    end subroutine

    subroutine matrices()
        integer, allocatable :: m(:, :)
        integer :: k, column(0:2)
        character(4) :: words(2)
        character(6) :: longer(2)
        do k = 1, n
            m = x[k]%m
            call check(all(shape(m) == [k + 2, 2]), 'shape of a matrix')
            call check(sum(m) == k * (2 * (k + 2) - 2) .and. m(k + 2, 2) == -k, 'matrix')
            column(0:1) = x[k]%m(k, :)
            call check(all(column(0:1) == [k, -k]), 'row of a matrix')
            column = x[k]%m(-1:1, 2)
            call check(all(column == k), 'column of a matrix')
            words = x[k]%words
            call check(all(words == ['two ', 'word']), 'characters')
            longer = x[k]%words
            call check(all(longer == ['two   ', 'word  ']), 'longer characters')
        end do
    end subroutine

    subroutine scalars()
        integer :: value
        sync all
        allocate (x%scalar)
        x%scalar = 7 * me
        sync all
        value = x[next]%scalar
        call check(value == 7 * next, 'allocatable scalar')
        sync all
        x[next]%scalar = -me
        sync all
        call check(x%scalar == -merge(n, me - 1, me == 1), 'allocatable scalar from another image')
        sync all
    end subroutine

    subroutine puts()
        integer :: before
        real :: values(5)
        real(real64) :: wide(2)
        before = merge(n, me - 1, me == 1)
        sync all
        values = me * 10 + [1, 2, 3, 4, 5]
        x[next]%a(1:5) = values
        sync all
        call check(all(x%a(1:5) == before * 10 + [1, 2, 3, 4, 5]), 'put of a range')
        call check(all(x%a(6:) == [(1000. * me + i, i=6, 5 * me)]), 'elements after a range')
        sync all
        x[next]%a(5:1:-2) = values(1:3)
        sync all
        call check(all(x%a(1:5) == before * 10 + [3, 2, 2, 4, 1]), 'put of a range backwards')
        sync all
        x[next]%a = 8
        x[next]%number = 100 + me
        sync all
        call check(all(x%a == 8) .and. size(x%a) == 5 * me, 'put of a scalar')
        call check(x%number == 100 + before, 'put of a component that is not allocatable')
        sync all
        wide = [me, -me]
        x[next]%a(2:3) = wide
        x[next]%fixed(2, 2:4:2) = wide
        x[next]%a(5) = me
        x[next]%words(2) = 'w'
        sync all
        call check(all(x%a(1:5) == [8, before, -before, 8, before]), 'put with conversion')
        call check(all(x%fixed(2, :) == [me * 100 + 2, before, me * 100 + 8, -before]), 'put of a row')
        call check(all(x%words == ['two ', 'w   ']), 'put of characters')
        sync all
        x%a = expected(me)
        x%fixed = me
        x%number = me
        x%words = ['two ', 'word']
        sync all
    end subroutine

    ! Remote to remote; and x%a = x[k]%a, where the left side gets another shape.
    subroutine between_images()
        integer :: k
        sync all
        if (me == 1) x[n]%a(2:3) = x[next]%a(4:5)
        sync all
        if (me == n) call check(all(x%a(2:3) == 1000 * merge(1, 2, n == 1) + [4, 5]), 'remote to remote')
        sync all
        if (me == n) x%a = expected(me)
        x%fixed(:, 1) = x[next]%fixed(:, 2)
        call check(all(x%fixed(:, 1) == next), 'constant shape from another image')
        sync all
        if (n > 1) then
            if (me == 1) then
                do k = n, 2, -1
                    x%a = x[k]%a
                    call check(size(x%a) == 5 * k .and. all(x%a == expected(k)), 'own component reallocated')
                end do
                deallocate (x%a)
                x%a = x[2]%a
                call check(all(x%a == expected(2)), 'own component allocated')
            end if
            sync all
            if (me == n) then
                call check(size(x[1]%a) == 10, 'size of what was reallocated')
            end if
        end if
        sync all
        x%a = expected(me)
        call check(size(x%a) == 5 * me, 'allocated by assignment')
        sync all
        x%a(2:5) = x[me]%a(1:4)
        call check(all(x%a(2:5) == 1000 * me + [1, 2, 3, 4]), 'overlap within an image')
        sync all
    end subroutine

    subroutine presence()
        integer :: k
        real :: y(2)
        sync all
        do k = 1, n
            call check(has_a(k), 'allocated')
        end do
        sync all
        if (mod(me, 2) == 1) deallocate (x%a)
        sync all
        do k = 1, n
            call check(has_a(k) .eqv. mod(k, 2) == 0, 'allocated on even images')
        end do
        sync all
        if (mod(me, 2) == 1) then
            ! Alone, without the others.
            allocate (x%a(0:me + 1))
            x%a = me
        end if
        sync all
        do k = 1, n, 2
            y = x[k]%a(0:1)
            call check(all(y == k), 'allocated again with another lower bound')
        end do
        sync all
        if (me == n) then
            do k = 1, 2000
                deallocate (x%a)
                allocate (x%a(mod(37 * k, 5000)))
            end do
        end if
        sync all
        deallocate (x%a, x%m, x%words)
        sync all
        call check(.not. has_a(next) .and. .not. has_m(next), 'nothing is left')
    end subroutine
end program
