! cases: int1 int2 int4 int8 real4 real8 real16 cplx8 cplx16 log1 log4 char1 char7
    subroutine @UNIT@()
        @TYPE@, save :: x(12)[*]
        @TYPE@ :: y(4)
        integer :: i
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        x = a_of(me, 1)
        y = [(b_of(me, i), i=1, 4)]
        sync all
        x(2:11:3)[next] = y
        sync all
        do i = 1, 4
            call check(logical(x(3*i - 1) @SAME@ b_of(before, i)), '@UNIT@ taken')
            call check(logical(x(3*i) @SAME@ a_of(me, 1)), '@UNIT@ kept')
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
