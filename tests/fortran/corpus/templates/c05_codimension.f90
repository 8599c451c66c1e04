! cases: once
    subroutine @UNIT@()
        integer, codimension[2, *], save :: x
        integer :: k
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        x = me
        sync all
        do k = 1, images
            call check(x[1 + mod(k - 1, 2), 1 + (k - 1)/2] == k, '@UNIT@')
        end do
        sync all
    end subroutine
