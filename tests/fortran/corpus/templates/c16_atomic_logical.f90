! cases: once
    subroutine @UNIT@()
        logical(atomic_logical_kind), save :: x[*]
        logical :: got
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        call atomic_define(x, .false._atomic_logical_kind)
        sync all
        call atomic_define(x[next], .true._atomic_logical_kind)
        sync all
        call atomic_ref(got, x)
        call check(got, '@UNIT@')
    end subroutine
