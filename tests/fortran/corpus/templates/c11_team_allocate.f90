! cases: once
    subroutine @UNIT@()
        type(team_type) :: a
        integer, allocatable :: x(:)[:]
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        form team (1 + mod(me, 2), a)
        change team (a)
            allocate (x(5*num_images())[*])
            x = me
            sync all
            call check(all(x(:)[num_images()] == me + 2*(num_images() - this_image())), '@UNIT@')
            sync team (a)
        end team
        call check(.not. allocated(x), '@UNIT@ freed')
    end subroutine
