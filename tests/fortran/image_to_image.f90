! Assignments from one image's coarray to another's, neither of them this image's.
program image_to_image
    use testing, only: check, finish
    implicit none

    integer :: x(10, 6)[*], y(10, 6)[*], z[*]
    real :: r(60)[*]
    integer :: me, images, from, to, i

    me = this_image()
    images = num_images()
    x = reshape([(1000 * me + i, i = 1, 60)], [10, 6])
    y = -1
    r = 0
    z = me
    sync all

    ! Image 1 turns the images round: what image i has goes to image images + 1 - i.
    if (me == 1) then
        do from = 1, images
            to = images + 1 - from
            y(:, :)[to] = x(:, :)[from]
            r(3)[to] = x(3, 1)[from]
        end do
    end if
    sync all
    from = images + 1 - me
    call check(all(y == reshape([(1000 * from + i, i = 1, 60)], [10, 6])), 'whole arrays')
    call check(r(3) == 1000 * from + 3 .and. r(2) == 0, 'a converted element')
    sync all

    if (me == images) then
        do from = 1, images
            to = mod(from, images) + 1
            y(2:10:3, 6:1:-2)[to] = x(1:5:2, 1:3)[from]
            r(60:2:-2)[to] = real(reshape(x(1:10:2, :)[from], [30]))
        end do
    end if
    sync all
    from = mod(me + images - 2, images) + 1
    call check(all(y(2:10:3, 6:1:-2) == 1000 * from + reshape([1, 3, 5, 11, 13, 15, 21, 23, 25], [3, 3])), &
               'sections')
    call check(all(y(3:9:3, :) /= 1000 * from + 1), 'beside sections')
    call check(all(nint(r(60:2:-2)) == [(1000 * from + 2 * i - 1, i = 1, 30)]), 'converted sections')
    sync all

    ! Both in one image, where they overlap.
    if (me == 1) x(2:10, 2)[images] = x(1:9, 2)[images]
    sync all
    if (me == images) call check(all(x(2:10, 2) == [(1000 * me + 10 + i, i = 1, 9)]), 'overlap')

    ! A scalar to all elements, and one from the other.
    sync all
    y(:, :)[mod(me, images) + 1] = z[me]
    sync all
    call check(all(y == from), 'scalar to an array')
    call finish()
end program image_to_image
