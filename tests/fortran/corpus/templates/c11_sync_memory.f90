! cases: once
    subroutine @UNIT@()
        integer, save :: x[*]
        integer :: code
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        x = me
        sync memory (stat=code)
        call check(code == 0 .and. x[me] == me, '@UNIT@')
    end subroutine
