! cases: int1 int2 int4 int8 real4 real8 real16 cplx8 cplx16 log1 log4 char1 char7
    subroutine @UNIT@()
        @TYPE@, allocatable :: x(:, :)[:]
        @TYPE@ :: y(2, 3)
        integer :: i, j
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        allocate (x(4, -1:3)[*])
        do j = -1, 3
            do i = 1, 4
                x(i, j) = b_of(me, 2*i + j)
            end do
        end do
        sync all
        y = x(4:1:-3, -1:3:2)[next]
        do j = 1, 3
            call check(logical(y(1, j) @SAME@ b_of(next, 8 + 2*j - 3)), '@UNIT@ first')
            call check(logical(y(2, j) @SAME@ b_of(next, 2 + 2*j - 3)), '@UNIT@ second')
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
