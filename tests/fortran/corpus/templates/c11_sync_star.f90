! cases: once
    subroutine @UNIT@()
        integer, save :: x[*]
        integer :: code
        character(len=10) :: text
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        x = 0
        sync all
        if (me == 1) then
            sync images (*, stat=code, errmsg=text)
        else
            sync images (1, stat=code)
        end if
        call check(code == 0, '@UNIT@')
    end subroutine
