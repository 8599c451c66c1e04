! cases: once
    subroutine @UNIT@()
        integer, save :: x[*]
        integer :: k
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        x = 0
        sync all
        do k = 1, 30
            critical
                x[1] = x[1] + 1
            end critical
        end do
        sync all
        if (me == 1) call check(x == 30*images, '@UNIT@')
    end subroutine
