! cases: once
    subroutine @UNIT@()
        integer, save :: i(3)[*]
        real(real64), save :: r(3)[*]
        real :: s(3)
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        i = 7*me
        r = 0
        sync all
        r(:)[next] = i
        s = i(:)[next]
        sync all
        call check(all(nint(r) == 7*before) .and. all(nint(s) == 7*next), '@UNIT@')
    end subroutine
