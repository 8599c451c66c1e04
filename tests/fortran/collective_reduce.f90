! co_reduce with functions of the program: arguments by reference and by value, characters, all kinds,
! derived types.
module operations
    use, intrinsic :: iso_fortran_env, only: int8, int64, real64
    implicit none
    integer, parameter :: extended = selected_real_kind(18)
    integer, parameter :: quad = selected_real_kind(33)

    ! A linear map x -> a x + b, whose composition is associative but not commutative.
    type :: map
        integer(int64) :: a, b
        real(real64) :: unused = 0
    end type

contains

    pure integer function product_by_reference(a, b) result(c)
        integer, intent(in) :: a, b
        c = a * b
    end function
    pure integer function maximum_by_value(a, b) result(c)
        integer, value :: a, b
        c = max(a, b)
    end function
    pure integer(int8) function tiny_sum(a, b) result(c)
        integer(int8), value :: a, b
        c = a + b
    end function
    pure integer(int64) function wide_sum(a, b) result(c)
        integer(int64), intent(in) :: a, b
        c = a + b
    end function
    pure logical function both(a, b) result(c)
        logical, intent(in) :: a, b
        c = a .and. b
    end function
    pure logical(int8) function either(a, b) result(c)
        logical(int8), value :: a, b
        c = a .or. b
    end function
    pure real function larger_magnitude(a, b) result(c)
        real, intent(in) :: a, b
        c = merge(a, b, abs(a) > abs(b))
    end function
    pure real(real64) function sum_by_value(a, b) result(c)
        real(real64), value :: a, b
        c = a + b
    end function
    pure real(extended) function extended_sum(a, b) result(c)
        real(extended), intent(in) :: a, b
        c = a + b
    end function
    pure real(extended) function extended_by_value(a, b) result(c)
        real(extended), value :: a, b
        c = a + b
    end function
    pure real(quad) function quad_sum(a, b) result(c)
        real(quad), intent(in) :: a, b
        c = a + b
    end function
    pure real(quad) function quad_by_value(a, b) result(c)
        real(quad), value :: a, b
        c = a + b
    end function
    pure complex function complex_product(a, b) result(c)
        complex, intent(in) :: a, b
        c = a * b
    end function
    pure complex(real64) function complex_by_value(a, b) result(c)
        complex(real64), value :: a, b
        c = a * b
    end function
    pure function longer_word(a, b) result(c)
        character(6), intent(in) :: a, b
        character(6) :: c
        c = merge(a, b, len_trim(a) > len_trim(b))
    end function
    pure function last_word(a, b) result(c)
        character(*), intent(in) :: a, b
        character(len(a)) :: c
        c = max(a, b)
    end function
    pure type(map) function compose(f, g) result(h)
        type(map), intent(in) :: f, g
        h = map(f%a * g%a, f%a * g%b + f%b)
    end function
end module

program collective_reduce
    use operations
    use testing
    implicit none
    integer :: me, n, total, factorial, i

    me = this_image()
    n = num_images()
    total = n * (n + 1) / 2
    factorial = product([(i, i=1, n)])
    call integers()
    call logicals()
    call reals()
    call complexes()
    call characters()
    call structures()
    call finish()

contains

    subroutine integers()
        integer :: one, some(6), stat
        integer(int8) :: small
        integer(int64) :: wide(2)
        one = me
        call co_reduce(one, product_by_reference)
        call check(one == factorial, 'product')
        one = me
        call co_reduce(one, product_by_reference, result_image=n, stat=stat)
        call check(stat == 0, 'STAT=')
        if (me == n) call check(one == factorial, 'product for one image')
        some = [me, 100, -me, 200, 7, 300]
        call co_reduce(some(1::2), maximum_by_value)
        call check(all(some == [n, 100, -1, 200, 7, 300]), 'maximum by value')
        small = int(me, int8)
        call co_reduce(small, tiny_sum)
        call check(small == total, 'int8')
        wide = me * 10_int64**12
        call co_reduce(wide, wide_sum)
        call check(all(wide == total * 10_int64**12), 'int64')
    end subroutine

    subroutine logicals()
        logical :: flag
        logical(int8) :: small
        flag = .true.
        call co_reduce(flag, both)
        call check(flag, 'all true')
        flag = me /= n
        call co_reduce(flag, both)
        call check(.not. flag, 'not all true')
        small = me == n
        call co_reduce(small, either)
        call check(logical(small), 'one true')
    end subroutine

    subroutine reals()
        real :: single
        real(real64) :: double
        real(extended) :: ten(2)
        real(quad) :: sixteen(2)
        single = merge(-100, me, me == 1)
        call co_reduce(single, larger_magnitude)
        call check(single == -100, 'largest magnitude')
        double = me + 0.25_real64
        call co_reduce(double, sum_by_value)
        call check(double == total + 0.25_real64 * n, 'real64 by value')
        ten = me * (1 + epsilon(ten))
        call co_reduce(ten, extended_sum)
        call check(all(abs(ten - total * (1 + epsilon(ten))) < 8 * total * epsilon(ten)), 'extended')
        call check(all(ten > total), 'all bits of extended')
        ten = me
        call co_reduce(ten, extended_by_value)
        call check(all(ten == total), 'extended by value')
        sixteen = me * (1 + 4 * epsilon(sixteen))
        call co_reduce(sixteen, quad_sum)
        call check(all(sixteen > total) .and. all(sixteen < total * (1 + 16 * epsilon(sixteen))), 'quad')
        sixteen = me
        call co_reduce(sixteen, quad_by_value)
        call check(all(sixteen == total), 'quad by value')
    end subroutine

    subroutine complexes()
        complex :: single
        complex(real64) :: double(2)
        single = cmplx(0, me)
        call co_reduce(single, complex_product)
        call check(single == factorial * cmplx(0, 1)**n, 'complex')
        double = cmplx(me, 0, real64)
        call co_reduce(double, complex_by_value)
        call check(all(double == factorial), 'complex by value')
    end subroutine

    subroutine characters()
        character(6) :: word
        character(:), allocatable :: deferred
        word = repeat('x', min(me, 6))
        call co_reduce(word, longer_word)
        call check(word == repeat('x', min(n, 6)), 'longest word')
        deferred = ''
        call co_reduce(deferred, last_word)
        deferred = 'word' // achar(iachar('a') + me)
        call co_reduce(deferred, last_word)
        call check(deferred == 'word' // achar(iachar('a') + n), 'last word')
    end subroutine

    ! In the order of the images.
    subroutine structures()
        type(map) :: f, expected
        integer :: k
        f = map(2, me)
        expected = map(2, 1)
        do k = 2, n
            expected = compose(expected, map(2, k))
        end do
        call co_reduce(f, compose)
        call check(f%a == expected%a .and. f%b == expected%b, 'composition of maps')
    end subroutine
end program
