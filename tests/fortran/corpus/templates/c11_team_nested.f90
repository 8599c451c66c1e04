! cases: once
    subroutine @UNIT@()
        type(team_type) :: a, b
        integer :: total
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        form team (1 + (me - 1)/2, a)
        change team (a)
            form team (this_image(), b)
            change team (b)
                call check(num_images() == 1, '@UNIT@ inner')
            end team
            total = me
            call co_sum(total)
            call check(total == merge(me, 4*((me - 1)/2) + 3, num_images() == 1), '@UNIT@ outer')
        end team
    end subroutine
