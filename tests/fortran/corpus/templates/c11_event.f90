! cases: once
    subroutine @UNIT@()
        type(event_type), save :: e(3)[*]
        integer :: count, k
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        do k = 1, images
            event post (e(2)[k])
        end do
        event wait (e(2), until_count=images)
        call event_query(e(2), count)
        call check(count == 0, '@UNIT@ second')
        call event_query(e(1), count)
        call check(count == 0, '@UNIT@ first')
    end subroutine
