! Sections of rank 1 to 4 with random bounds and strides of any sign, between images and within one.
program sections
    use, intrinsic :: iso_fortran_env, only: int64
    use testing, only: check, finish, pick
    implicit none

    integer, parameter :: low(4) = [-3, 2, 0, 1], high(4) = [9, 8, 5, 4], trials = 40
    integer(int64) :: x1(-3:9)[*], x2(-3:9, 2:8)[*], x3(-3:9, 2:8, 0:5)[*], x4(-3:9, 2:8, 0:5, 1:4)[*]
    integer(int64), dimension(-3:9, 2:8, 0:5, 1:4) :: mine, theirs, expected
    integer :: me, images, next, previous, trial
    ! First, last and step of each dimension; those of a put are also kept for the image that gets it.
    integer :: f(4), l(4), s(4), put_f(4)[*], put_l(4)[*], put_s(4)[*]

    me = this_image()
    images = num_images()
    next = mod(me, images) + 1
    previous = mod(me + images - 2, images) + 1
    mine = values(me)
    theirs = values(next)

    do trial = 1, trials
        x1 = mine(:, 2, 0, 1)
        x2 = mine(:, :, 0, 1)
        x3 = mine(:, :, :, 1)
        x4 = mine
        call random_section()
        put_f = f
        put_l = l
        put_s = s
        sync all
        call get_all()
        sync all
        call put_all()
        sync all
        f = put_f(:)[previous]
        l = put_l(:)[previous]
        s = put_s(:)[previous]
        call check_puts()
        sync all
    end do
    call within()
    call finish()

contains

    ! A number that tells image and element.
    function values(image)
        integer, intent(in) :: image
        integer(int64), dimension(-3:9, 2:8, 0:5, 1:4) :: values
        integer :: i, j, k, m

        do m = 1, 4
            do k = 0, 5
                do j = 2, 8
                    do i = -3, 9
                        values(i, j, k, m) = image * 100000000_int64 + i + 3 + 100 * (j + 100 * (k + 100 * m))
                    end do
                end do
            end do
        end do
    end function values

    subroutine random_section()
        integer :: d

        do d = 1, 4
            f(d) = pick(low(d), high(d))
            l(d) = pick(low(d), high(d))
            s(d) = pick(1, 3)
            ! One in six has no elements.
            if (l(d) < f(d) .and. pick(1, 3) > 1) s(d) = -s(d)
        end do
    end subroutine random_section

    subroutine get_all()
        integer(int64) :: g1(13), g2(13, 7), g3(13, 7, 6), g4(13, 7, 6, 4), spread(40)
        integer :: n1, n2, n3, n4

        n1 = size(x1(f(1):l(1):s(1)))
        n2 = size(x2(1, f(2):l(2):s(2)))
        n3 = size(x3(1, 2, f(3):l(3):s(3)))
        n4 = size(x4(1, 2, 0, f(4):l(4):s(4)))
        g1(1:n1) = x1(f(1):l(1):s(1))[next]
        call check(all(g1(1:n1) == theirs(f(1):l(1):s(1), 2, 0, 1)), 'get of rank 1')
        g2(1:n1, 1:n2) = x2(f(1):l(1):s(1), f(2):l(2):s(2))[next]
        call check(all(g2(1:n1, 1:n2) == theirs(f(1):l(1):s(1), f(2):l(2):s(2), 0, 1)), 'get of rank 2')
        g3(1:n1, 1:n2, 1:n3) = x3(f(1):l(1):s(1), f(2):l(2):s(2), f(3):l(3):s(3))[next]
        call check(all(g3(1:n1, 1:n2, 1:n3) == &
                       theirs(f(1):l(1):s(1), f(2):l(2):s(2), f(3):l(3):s(3), 1)), 'get of rank 3')
        g4(1:n1, 1:n2, 1:n3, 1:n4) = &
            x4(f(1):l(1):s(1), f(2):l(2):s(2), f(3):l(3):s(3), f(4):l(4):s(4))[next]
        call check(all(g4(1:n1, 1:n2, 1:n3, 1:n4) == &
                       theirs(f(1):l(1):s(1), f(2):l(2):s(2), f(3):l(3):s(3), f(4):l(4):s(4))), &
                   'get of rank 4')
        g1(1:n3) = x4(f(1), f(2), f(3):l(3):s(3), f(4))[next]
        call check(all(g1(1:n3) == theirs(f(1), f(2), f(3):l(3):s(3), f(4))), 'get along dimension 3')
        ! Into a section that goes backwards.
        spread = -1
        spread(3 * n2:1:-3) = x2(f(1), f(2):l(2):s(2))[next]
        call check(all(spread(3 * n2:1:-3) == theirs(f(1), f(2):l(2):s(2), 0, 1)), 'get into a section')
        call check(count(spread == -1) == 40 - n2, 'get beside a section')
    end subroutine get_all

    subroutine put_all()
        integer(int64) :: from(13, 7, 6, 4)
        integer :: n1, n2, n3, n4

        n1 = size(x1(f(1):l(1):s(1)))
        n2 = size(x2(1, f(2):l(2):s(2)))
        n3 = size(x3(1, 2, f(3):l(3):s(3)))
        n4 = size(x4(1, 2, 0, f(4):l(4):s(4)))
        from = -theirs
        x1(f(1):l(1):s(1))[next] = from(1:n1, 2, 1, 1)
        x2(f(1):l(1):s(1), f(2):l(2):s(2))[next] = from(n1:1:-1, 1:n2, 1, 1)
        x3(f(1):l(1):s(1), f(2):l(2):s(2), f(3):l(3):s(3))[next] = from(1:n1, 1:n2, n3:1:-1, 1)
        x4(f(1):l(1):s(1), f(2):l(2):s(2), f(3):l(3):s(3), f(4):l(4):s(4))[next] = -7
    end subroutine put_all

    subroutine check_puts()
        integer(int64) :: from(13, 7, 6, 4)
        integer :: n1, n2, n3

        n1 = size(x1(f(1):l(1):s(1)))
        n2 = size(x2(1, f(2):l(2):s(2)))
        n3 = size(x3(1, 2, f(3):l(3):s(3)))
        from = -mine
        expected = mine
        expected(f(1):l(1):s(1), 2, 0, 1) = from(1:n1, 2, 1, 1)
        call check(all(x1 == expected(:, 2, 0, 1)), 'put of rank 1')
        expected = mine
        expected(f(1):l(1):s(1), f(2):l(2):s(2), 0, 1) = from(n1:1:-1, 1:n2, 1, 1)
        call check(all(x2 == expected(:, :, 0, 1)), 'put of rank 2')
        expected = mine
        expected(f(1):l(1):s(1), f(2):l(2):s(2), f(3):l(3):s(3), 1) = from(1:n1, 1:n2, n3:1:-1, 1)
        call check(all(x3 == expected(:, :, :, 1)), 'put of rank 3')
        expected = mine
        expected(f(1):l(1):s(1), f(2):l(2):s(2), f(3):l(3):s(3), f(4):l(4):s(4)) = -7
        call check(all(x4 == expected), 'put of a scalar, rank 4')
    end subroutine check_puts

    ! Sides that overlap in this image: the right side is read as it was.
    subroutine within()
        x1 = mine(:, 2, 0, 1)
        x1(-2:9)[me] = x1(-3:8)
        call check(all(x1(-2:9) == mine(-3:8, 2, 0, 1)), 'put that shifts up')
        x1 = mine(:, 2, 0, 1)
        x1(-3:8)[me] = x1(-2:9)
        call check(all(x1(-3:8) == mine(-2:9, 2, 0, 1)), 'put that shifts down')
        x1 = mine(:, 2, 0, 1)
        x1(-2:9) = x1(-3:8)[me]
        call check(all(x1(-2:9) == mine(-3:8, 2, 0, 1)), 'get that shifts up')
        x1 = mine(:, 2, 0, 1)
        x1 = x1(9:-3:-1)[me]
        call check(all(x1 == mine(9:-3:-1, 2, 0, 1)), 'get that turns round')
        x1 = mine(:, 2, 0, 1)
        x1(9:-3:-1)[me] = x1
        call check(all(x1 == mine(9:-3:-1, 2, 0, 1)), 'put that turns round')
        x1 = mine(:, 2, 0, 1)
        x1(-2:9)[me] = x1(-3:8)[me]
        call check(all(x1(-2:9) == mine(-3:8, 2, 0, 1)), 'shift from image to image')
        x2 = mine(:, :, 0, 1)
        x2(-2:9, 3:8)[me] = x2(-3:8, 2:7)
        call check(all(x2(-2:9, 3:8) == mine(-3:8, 2:7, 0, 1)), 'shift of a matrix')
        sync all
    end subroutine within
end program sections
