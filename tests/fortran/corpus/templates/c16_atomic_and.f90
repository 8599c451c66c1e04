! cases: once
    subroutine @UNIT@()
        integer(atomic_int_kind), save :: x[*]
        integer(atomic_int_kind) :: got
        integer :: k
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        call atomic_define(x, 255)
        sync all
        call atomic_and(x[1], 255 - 2**me)
        sync all
        call atomic_ref(got, x[1])
        call check(got == 255 - sum([(2**k, k=1, images)]), '@UNIT@')
        k = 0
    end subroutine
