! cases: once
    subroutine @UNIT@()
        integer, allocatable :: x(:)[:]
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        allocate (x(4)[*])
        x = me
        sync all
        call inner(x)
        sync all
        call check(x(3) == -before, '@UNIT@')
    contains
        subroutine inner(y)
            integer, intent(inout) :: y(2, *)[*]
            y(1, 2)[next] = -me
        end subroutine
    end subroutine
