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
        do k = 1, 20
            if (me > 1) sync images (me - 1)
            if (me < images) x[me + 1] = x + 1
            if (me < images) sync images (me + 1)
        end do
        sync all
        call check(x >= merge(0, 1, me == 1), '@UNIT@')
    end subroutine
