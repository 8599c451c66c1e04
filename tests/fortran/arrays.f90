! Whole arrays and contiguous sections of many sizes are read from and written to the next image.
program arrays
    use, intrinsic :: iso_fortran_env, only: real64
    use testing, only: check, finish, pick
    implicit none

    integer, parameter :: sizes(*) = [0, 1, 2, 3, 7, 8, 64, 1000, 8193, 20000]
    integer, allocatable :: x(:)[:]
    integer :: here(20000)
    real(real64) :: matrix(6, 5)[*], copy(6, 5), column(6)
    complex :: waves(50)[*]
    character(len=3) :: words(4)[*], read_words(4)
    logical :: flags(9)[*]
    integer :: me, images, next, previous, n, i, trial, first, last

    me = this_image()
    images = num_images()
    next = mod(me, images) + 1
    previous = mod(me + images - 2, images) + 1

    allocate (x(maxval(sizes))[*])
    do trial = 1, size(sizes)
        n = sizes(trial)
        x = [(me * 1000000 + i, i = 1, size(x))]
        sync all
        here(1:n) = x(1:n)[next]
        call check(all(here(1:n) == [(next * 1000000 + i, i = 1, n)]), 'get from the start')
        first = pick(1, size(x) - n + 1)
        last = first + n - 1
        here(1:n) = x(first:last)[next]
        call check(all(here(1:n) == [(next * 1000000 + i, i = first, last)]), 'get from the middle')
        sync all
        first = 1 + trial
        last = min(trial + n, size(x))
        x(first:last)[next] = [(-me, i = first, last)]
        sync all
        call check(all(x(first:last) == -previous), 'put')
        call check(all(x(:first - 1) == [(me * 1000000 + i, i = 1, first - 1)]), 'before a put')
        call check(all(x(last + 1:) == [(me * 1000000 + i, i = last + 1, size(x))]), 'after a put')
        sync all
    end do

    matrix = reshape([(me + i / 64.0_real64, i = 1, 30)], [6, 5])
    waves = cmplx(me, -me)
    words = ['abc', 'd  ', '  e', char(iachar('0') + me) // '  ']
    flags = [(mod(i + me, 3) == 0, i = 1, 9)]
    sync all
    copy = matrix(:, :)[next]
    call check(all(copy == reshape([(next + i / 64.0_real64, i = 1, 30)], [6, 5])), 'whole matrix')
    column = matrix(:, 3)[next]
    call check(all(column == [(next + i / 64.0_real64, i = 13, 18)]), 'column')
    call check(all(waves(:)[next] == cmplx(next, -next)), 'complex')
    read_words = words(:)[next]
    call check(read_words(1) == 'abc' .and. read_words(2) == 'd' .and. read_words(3) == '  e' .and. &
               read_words(4) == char(iachar('0') + next), 'characters')
    call check(all(flags(:)[next] .eqv. [(mod(i + next, 3) == 0, i = 1, 9)]), 'logical')
    call check(sum(matrix(:, :)[next]) == sum(copy), 'an array in an expression')
    sync all

    ! One value for a whole array.
    matrix(:, :)[next] = 2.5_real64
    waves(:)[next] = (1.0, 2.0)
    x(:)[next] = me
    words(2:3)[next] = 'xyz'
    sync all
    call check(all(matrix == 2.5_real64), 'scalar into a matrix')
    call check(all(waves == (1.0, 2.0)), 'scalar into complex numbers')
    call check(all(x == previous), 'scalar into a large array')
    call check(words(1) == 'abc' .and. all(words(2:3) == 'xyz'), 'scalar into characters')
    matrix(:, 2)[me] = matrix(1, 1)
    call check(all(matrix == 2.5_real64), 'scalar into this image')
    call finish()
end program arrays
