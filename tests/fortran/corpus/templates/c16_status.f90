! cases: once
    subroutine @UNIT@()
        integer :: k
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        do k = 1, images
            call check(image_status(k) == 0, '@UNIT@')
        end do
        call check(size(failed_images()) == 0 .and. size(stopped_images()) == 0, '@UNIT@ lists')
        call check(next >= 1, '@UNIT@')
    end subroutine
