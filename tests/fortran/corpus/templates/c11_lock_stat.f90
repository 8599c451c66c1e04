! cases: once
    subroutine @UNIT@()
        type(lock_type), save :: l[*]
        integer :: code
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        lock (l, stat=code)
        call check(code == 0, '@UNIT@ lock')
        lock (l, stat=code)
        call check(code == stat_locked, '@UNIT@ locked')
        sync all
        unlock (l[next], stat=code)
        call check(code == merge(0, stat_locked_other_image, next == me), '@UNIT@ other')
        sync all
        if (next /= me) unlock (l)
    end subroutine
