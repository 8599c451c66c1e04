! cases: once
    subroutine @UNIT@()
        integer, save :: x(3)[*] = [1, 2, 3]
        integer :: y(3)
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        y = x(:)[next]
        call check(all(y == [1, 2, 3]), '@UNIT@')
        sync all
    end subroutine
