! cases: once
    subroutine @UNIT@()
        integer, save :: x[2, *]
        integer, save :: y(3)[-1:0, 3:4, *]
        integer :: me, images, next, before
        me = this_image()
        images = num_images()
        next = mod(me, images) + 1
        before = modulo(me - 2, images) + 1
        call check(x[1, 1] == x[1, 1] .and. size(this_image(x)) == 2, '@UNIT@ size')
        call check(image_index(x, this_image(x)) == me, '@UNIT@ index')
        call check(image_index(y, this_image(y)) == me, '@UNIT@ three')
        call check(this_image(x, 1) == 1 + mod(me - 1, 2), '@UNIT@ dim')
        call check(all(lcobound(y) == [-1, 3, 1]) .and. ucobound(y, 2) == 4, '@UNIT@ bounds')
        call check(image_index(x, [2, images]) == merge(2*images, 0, 2*images <= images), '@UNIT@ none')
    end subroutine
