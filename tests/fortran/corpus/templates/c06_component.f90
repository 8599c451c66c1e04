! cases: int1 int2 int4 int8 real4 real8 real16 cplx8 cplx16 log1 log4 char1 char7
    subroutine @UNIT@()
        type :: structure
            integer :: before
            @TYPE@ :: value
            @TYPE@ :: list(3)
        end type
        type(structure), save :: x(2)[*]
        type(structure) :: y
        integer :: k
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        x(1)%value = a_of(me, 1)
        x(2)%list = b_of(me, 2)
        x%before = me
        sync all
        do k = 1, images
            y%value = x(1)[k]%value
            call check(logical(y%value @SAME@ a_of(k, 1)), '@UNIT@ scalar')
            y%list(2) = x(2)[k]%list(2)
            call check(logical(y%list(2) @SAME@ b_of(k, 2)), '@UNIT@ element')
            y = x(2)[k]
            call check(logical(y%before == k .and. (y%list(3) @SAME@ b_of(k, 2))), '@UNIT@ whole')
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
