! cases: int2 int4 int8 real4 real8 real16 cplx8 cplx16
    subroutine @UNIT@()
        @TYPE@ :: x, z(5), total
        integer :: k, code
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        total = 0
        do k = 1, images
            total = total + a_of(k, 1)
        end do
        x = a_of(me, 1)
        z = a_of(me, 1)
        call co_sum(x, stat=code)
        call check(logical(code == 0 .and. (x @SAME@ total)), '@UNIT@ scalar')
        call co_sum(z(1:5:2), result_image=images)
        if (me == images) call check(logical(all(z(1:5:2) @SAME@ total)), '@UNIT@ section')
        call check(logical(all(z(2:4:2) @SAME@ a_of(me, 1))), '@UNIT@ rest')
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
