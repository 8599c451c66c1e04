! cases: once
    subroutine @UNIT@()
        integer, save :: x(4)[*], y(4)[*]
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        x = me
        y = 0
        sync all
        y(1:3:2)[next] = x(2:4:2)[before]
        sync all
        call check(all(y(1:3:2) == modulo(before - 2, images) + 1) .and. y(2) == 0, '@UNIT@')
    end subroutine
