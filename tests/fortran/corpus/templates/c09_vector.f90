! cases: int1 int2 int4 int8 real4 real8 real16 cplx8 cplx16 log1 log4 char1 char7
    subroutine @UNIT@()
        @TYPE@, save :: x(6)[*]
        @TYPE@ :: y(3)
        integer :: i, v(3)
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        x = [(b_of(me, i), i=1, 6)]
        v = [5, 1, 4]
        sync all
        y = x(v)[before]
        do i = 1, 3
            call check(logical(y(i) @SAME@ b_of(before, v(i))), '@UNIT@')
        end do
        sync all
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
