! Vector subscripts on the side of the coarray.
program vector_subscripts
    use, intrinsic :: iso_fortran_env, only: int8, int16, int64
    use testing, only: check, finish, pick
    implicit none

    integer, parameter :: trials = 30
    integer :: x(-4:20)[*], y(-2:7, 3:9)[*], mine(-4:20), theirs(-4:20)
    integer :: mine_2(-2:7, 3:9), theirs_2(-2:7, 3:9), expected_2(-2:7, 3:9)
    integer :: list(25)[*], lists(4)[*], count_of_list[*], chosen(10), v(25), got(25), w(4), got_2(10, 10)
    real :: fractions(10)
    integer :: me, images, next, previous, trial, n, i, j

    me = this_image()
    images = num_images()
    next = mod(me, images) + 1
    previous = mod(me + images - 2, images) + 1
    mine = [(1000 * me + i, i = -4, 20)]
    theirs = [(1000 * next + i, i = -4, 20)]
    mine_2 = reshape([((1000 * me + 10 * j + i, i = -2, 7), j = 3, 9)], [10, 7])
    theirs_2 = mine_2 + 1000 * (next - me)

    do trial = 1, trials
        x = mine
        y = mine_2
        n = pick(0, 10)
        chosen = [(pick(-4, 20), i = 1, 10)]
        v = permutation()
        list = v
        count_of_list = pick(1, 25)
        w = [pick(3, 4), pick(5, 6), 7, pick(8, 9)]
        lists = w
        sync all

        ! An index may be repeated when it is read.
        got(1:n) = x(chosen(1:n))[next]
        call check(all(got(1:n) == theirs(chosen(1:n))), 'get')
        fractions(1:n) = x(chosen(1:n))[next]
        call check(all(fractions(1:n) == theirs(chosen(1:n))), 'get with conversion')
        got_2(1:4, 1) = y(trial / 4 - 1, w)[next]
        call check(all(got_2(1:4, 1) == theirs_2(trial / 4 - 1, w)), 'get from a row')
        got_2(1:10, 1:4) = y(:, w)[next]
        call check(all(got_2(1:10, 1:4) == theirs_2(:, w)), 'get of columns')
        got_2(1:4, 1:4) = y(7:-2:-3, w)[next]
        call check(all(got_2(1:4, 1:4) == theirs_2(7:-2:-3, w)), 'get of a range and a vector')
        got_2(1:4, 1:4) = y(w - 3, w)[next]
        call check(all(got_2(1:4, 1:4) == theirs_2(w - 3, w)), 'get with two vectors')
        sync all

        n = count_of_list
        x(v(1:n))[next] = -[(100 * me + i, i = 1, n)]
        y(7:-2:-3, w)[next] = reshape([(-100 * me - i, i = 1, 16)], [4, 4])
        sync all
        n = count_of_list[previous]
        v = list(:)[previous]
        w = lists(:)[previous]
        do i = 1, n
            call check(x(v(i)) == -100 * previous - i, 'put')
        end do
        do i = n + 1, 25
            call check(x(v(i)) == mine(v(i)), 'beside a put')
        end do
        expected_2 = mine_2
        expected_2(7:-2:-3, w) = reshape([(-100 * previous - i, i = 1, 16)], [4, 4])
        call check(all(y == expected_2), 'put into a range and a vector')
        sync all
    end do

    ! One value, other kinds of integers, values that are converted, and both sides in coarrays.
    x = mine
    sync all
    x([5, -4, 20])[next] = 7
    x([1_int8, 3_int8])[next] = [11, 13]
    x([14_int16])[next] = 14.5
    n = pick(0, 0)
    x(chosen(1:n))[next] = -1
    y(5, chosen(1:n))[next] = y(4, chosen(1:n))[me]
    x([8_int64, 9_int64])[next] = x([2_int64, 0_int64])[me]
    sync all
    call check(all(x([-4, 5, 20]) == 7), 'one value')
    call check(x(1) == 11 .and. x(3) == 13 .and. x(14) == 14, 'other kinds of integers')
    call check(x(8) == 1000 * previous + 2 .and. x(9) == 1000 * previous, 'from image to image')
    ! The right side is read as it was.
    x = mine
    x([7, 8, 9, 10])[me] = x(6:9)
    call check(all(x(6:10) == mine([6, 6, 7, 8, 9])), 'sides that overlap')
    call finish()

contains

    ! The bounds of x in random order.
    function permutation()
        integer :: permutation(25), k, other, kept

        permutation = [(k, k = -4, 20)]
        do k = 25, 2, -1
            other = pick(1, k)
            kept = permutation(k)
            permutation(k) = permutation(other)
            permutation(other) = kept
        end do
    end function permutation
end program vector_subscripts
