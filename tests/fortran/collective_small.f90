! CO_REDUCE of derived types whose results come in registers, and reals of 16 bytes.
program collective_small
    use testing, only: check, finish
    implicit none

    integer, parameter :: quad = selected_real_kind(33), extended = selected_real_kind(18)
    integer, parameter :: int64 = selected_int_kind(18), double = kind(1d0)
    type :: byte_type
        integer(selected_int_kind(2)) :: a
    end type
    type :: int_pair
        integer :: a, b
    end type
    type :: long_pair
        integer(int64) :: a, b
    end type
    type :: real_pair
        real :: a, b
    end type
    type :: double_pair
        real(double) :: a, b
    end type
    type :: int_double
        integer :: a
        real(double) :: b
    end type
    type :: double_int
        real(double) :: a
        integer :: b
    end type
    type :: three
        real :: a, b, c
    end type
    integer :: images, total, product_of
    type(byte_type) :: bytes(3)
    type(int_pair) :: ints(100)
    type(long_pair) :: longs
    type(real_pair) :: reals(5)
    type(double_pair) :: doubles
    type(int_double) :: mixed
    type(double_int) :: turned(2)
    type(three) :: threes

    images = num_images()
    total = images*(images + 1)/2
    product_of = 2**images
    bytes = byte_type(int(this_image(), selected_int_kind(2)))
    call co_reduce(bytes, add_byte)
    call check(all(bytes%a == total), 'a byte')
    ints = int_pair(this_image(), 2)
    call co_reduce(ints, add_ints)
    call check(all(ints%a == total .and. ints%b == product_of), 'integers')
    longs = long_pair(this_image(), 2)
    call co_reduce(longs, add_longs)
    call check(longs%a == total .and. longs%b == product_of, 'long integers')
    reals = real_pair(this_image(), 2)
    call co_reduce(reals, add_reals)
    call check(all(nint(reals%a) == total .and. nint(reals%b) == product_of), 'reals')
    doubles = double_pair(this_image(), 2)
    call co_reduce(doubles, add_doubles)
    call check(nint(doubles%a) == total .and. nint(doubles%b) == product_of, 'doubles')
    mixed = int_double(this_image(), 2)
    call co_reduce(mixed, add_mixed)
    call check(mixed%a == total .and. nint(mixed%b) == product_of, 'integer and double')
    turned = double_int(this_image(), 2)
    call co_reduce(turned, add_turned)
    call check(all(nint(turned%a) == total .and. turned%b == product_of), 'double and integer')
    threes = three(this_image(), 2, 1)
    call co_reduce(threes, add_threes)
    call check(nint(threes%a) == total .and. nint(threes%b) == product_of .and. &
        nint(threes%c) == images, 'three reals')
    call wide()
    call finish()

contains

    subroutine wide()
        real(quad) :: q(3)
        real(extended) :: e
        complex(quad) :: z
        complex(extended) :: w(2)

        q = [1, 0, -3]*this_image()/8.0_quad
        call co_sum(q)
        call check(all(q == [1, 0, -3]*total/8.0_quad), 'quad')
        q(1) = this_image()/3.0_quad
        call co_max(q(1))
        call check(q(1) == images/3.0_quad, 'max of quad')
        call co_min(q(1))
        e = this_image()/4.0_extended
        call co_sum(e)
        call check(e == total/4.0_extended, 'extended')
        e = -this_image()
        call co_min(e)
        call check(e == -images, 'min of extended')
        z = (1.0_quad, 0.5_quad)
        call co_sum(z)
        call check(z == images*(1.0_quad, 0.5_quad), 'complex of quad')
        w = (2.0_extended, -0.5_extended)
        call co_sum(w)
        call check(all(w == images*(2.0_extended, -0.5_extended)), 'complex of extended')
    end subroutine wide

    pure function add_byte(x, y) result(r)
        type(byte_type), intent(in) :: x, y
        type(byte_type) :: r
        r%a = x%a + y%a
    end function
    pure function add_ints(x, y) result(r)
        type(int_pair), intent(in) :: x, y
        type(int_pair) :: r
        r = int_pair(x%a + y%a, x%b*y%b)
    end function
    pure function add_longs(x, y) result(r)
        type(long_pair), intent(in) :: x, y
        type(long_pair) :: r
        r = long_pair(x%a + y%a, x%b*y%b)
    end function
    pure function add_reals(x, y) result(r)
        type(real_pair), intent(in) :: x, y
        type(real_pair) :: r
        r = real_pair(x%a + y%a, x%b*y%b)
    end function
    pure function add_doubles(x, y) result(r)
        type(double_pair), intent(in) :: x, y
        type(double_pair) :: r
        r = double_pair(x%a + y%a, x%b*y%b)
    end function
    pure function add_mixed(x, y) result(r)
        type(int_double), intent(in) :: x, y
        type(int_double) :: r
        r = int_double(x%a + y%a, x%b*y%b)
    end function
    pure function add_turned(x, y) result(r)
        type(double_int), intent(in) :: x, y
        type(double_int) :: r
        r = double_int(x%a + y%a, x%b*y%b)
    end function
    pure function add_threes(x, y) result(r)
        type(three), intent(in) :: x, y
        type(three) :: r
        r = three(x%a + y%a, x%b*y%b, x%c + y%c)
    end function
end program collective_small
