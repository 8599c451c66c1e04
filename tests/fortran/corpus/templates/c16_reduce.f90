! cases: int1 int2 int4 int8 real4 real8 real16
    subroutine @UNIT@()
        @TYPE@ :: x, z(3)
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        x = a_of(me, 1)
        z = b_of(me, 1)
        call co_reduce(x, larger)
        call check(x == a_of(images, 1), '@UNIT@ scalar')
        call co_reduce(z, larger, result_image=1)
        if (me == 1) call check(all(z == b_of(images, 1)), '@UNIT@ array')
    contains
        pure function a_of(me, other) result(value)
            integer, intent(in) :: me, other
            @TYPE@ :: value
            value = @A@
            if (other < 0) value = @B@
        end function
        pure function larger(p, q) result(r)
            @TYPE@, intent(in) :: p, q
            @TYPE@ :: r
            r = merge(p, q, p > q)
        end function
        pure function b_of(me, other) result(value)
            integer, intent(in) :: me, other
            @TYPE@ :: value
            value = @B@
        end function
    end subroutine
