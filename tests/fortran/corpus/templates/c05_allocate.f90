! cases: int1 int2 int4 int8 real4 real8 real16 cplx8 cplx16 log1 log4 char1 char7
    subroutine @UNIT@()
        @TYPE@, allocatable :: x[:], z(:)[:]
        @TYPE@ :: y
        integer :: code, n
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        do n = 1, 3
            allocate (x[2:*], z(1000*n)[0:*], stat=code)
            call check(code == 0 .and. allocated(x) .and. allocated(z), '@UNIT@ allocated')
            x = a_of(me, 1)
            z = b_of(me, n)
            sync all
            y = x[next + 1]
            call check(logical(y @SAME@ a_of(next, 1)), '@UNIT@ scalar')
            y = z(1000*n)[next - 1]
            call check(logical(y @SAME@ b_of(next, n)), '@UNIT@ array')
            deallocate (x, z, stat=code)
            call check(code == 0 .and. .not. allocated(x), '@UNIT@ freed')
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
