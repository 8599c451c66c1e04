! cases: once
    subroutine @UNIT@()
        type(event_type), save :: e[*]
        integer, save :: x[*]
        integer :: k
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        x = 0
        sync all
        do k = 1, 10
            if (me > 1 .or. k > 1) event wait (e)
            x[next] = x + 1
            event post (e[next])
        end do
        sync all
        if (me == 1) event wait (e)
        call check(x > 0, '@UNIT@')
    end subroutine
