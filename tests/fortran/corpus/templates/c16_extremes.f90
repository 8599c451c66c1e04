! cases: int1 int2 int4 int8 real4 real8 real16 char1 char7
    subroutine @UNIT@()
        @TYPE@ :: x, z(3)
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        x = a_of(me, 1)
        z = a_of(me, 1)
        call co_min(x)
        call check(x == a_of(1, 1), '@UNIT@ min')
        call co_max(z)
        call check(all(z == a_of(images, 1)), '@UNIT@ max')
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
