! cases: int1 int2 int4 int8 real4 real8 real16 cplx8 cplx16 log1 log4 char1 char7
    subroutine @UNIT@()
        type :: structure
            @TYPE@, allocatable :: list(:)
        end type
        type(structure), save :: x[*]
        @TYPE@, allocatable :: y(:)
        integer :: k
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        allocate (x%list(me + 1))
        x%list = b_of(me, 3)
        sync all
        do k = 1, images
            y = x[k]%list
            call check(size(y) == k + 1, '@UNIT@ size')
            call check(logical(all(y @SAME@ b_of(k, 3))), '@UNIT@ values')
        end do
        sync all
        deallocate (x%list)
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
