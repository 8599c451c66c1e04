! cases: once
    subroutine @UNIT@()
        integer(atomic_int_kind), save :: x[*]
        integer(atomic_int_kind) :: old
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        call atomic_define(x, 0)
        sync all
        do
            call atomic_cas(x[1], old, me - 1, me)
            if (old == me - 1) exit
        end do
        sync all
        call atomic_ref(old, x[1])
        call check(old == images, '@UNIT@')
    end subroutine
