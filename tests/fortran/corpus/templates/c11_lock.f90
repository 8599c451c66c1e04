! cases: once
    subroutine @UNIT@()
        type(lock_type), save :: l(2)[*]
        integer, save :: x[*]
        integer :: k
        logical :: got
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        x = 0
        sync all
        do k = 1, 30
            lock (l(2)[images])
            x[1] = x[1] + 1
            unlock (l(2)[images])
        end do
        sync all
        if (me == 1) call check(x == 30*images, '@UNIT@')
        lock (l(1), acquired_lock=got)
        call check(got, '@UNIT@ acquired')
        unlock (l(1))
    end subroutine
