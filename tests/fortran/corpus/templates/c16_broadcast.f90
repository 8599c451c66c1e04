! cases: int1 int2 int4 int8 real4 real8 real16 cplx8 cplx16 log1 log4 char1 char7
    subroutine @UNIT@()
        @TYPE@ :: x, z(4, 2)
        integer :: k
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        do k = 1, images
            x = a_of(me, 1)
            z = b_of(me, 1)
            call co_broadcast(x, k)
            call co_broadcast(z, k)
            call check(logical(x @SAME@ a_of(k, 1)), '@UNIT@ scalar')
            call check(logical(all(z @SAME@ b_of(k, 1))), '@UNIT@ array')
        end do
    contains
        pure function a_of(me, other) result(value)
            integer, intent(in) :: me, other
            @TYPE@ :: value
            value = @A@
            if (other < 0) value = @B@
        end function
        pure function b_of(me, other) result(value)
            integer, intent(in) :: me, other
            @TYPE@ :: value
            value = @B@
        end function
    end subroutine
