! co_sum, co_min, co_max, co_broadcast: types, kinds, ranks, sections with gaps, one result image, STAT=.
program collectives
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
    use testing
    implicit none
    integer :: me, n, total

    me = this_image()
    n = num_images()
    total = n * (n + 1) / 2
    call integers()
    call reals()
    call complexes()
    call characters()
    call shapes()
    call result_images()
    call broadcasts()
    call broadcast_of_components()
    call many_in_a_row()
    call large()
    call finish()

contains

    subroutine integers()
        integer(int8) :: i1
        integer(int16) :: i2
        integer(int32) :: i4
        integer(int64) :: i8
        integer, parameter :: huge_kind = selected_int_kind(38)
        integer(huge_kind) :: i16
        i1 = int(me, int8)
        call co_sum(i1)
        call check(i1 == total, 'sum of int8')
        i2 = int(-me, int16)
        call co_min(i2)
        call check(i2 == -n, 'minimum of int16')
        i4 = me
        call co_max(i4)
        call check(i4 == n, 'maximum of int32')
        i8 = me * 10000000000_int64
        call co_sum(i8)
        call check(i8 == total * 10000000000_int64, 'sum of int64')
        i16 = me * 10_huge_kind**30
        call co_sum(i16)
        call check(i16 == total * 10_huge_kind**30, 'sum of 128-bit integers')
        i16 = -me * 10_huge_kind**30
        call co_min(i16)
        call check(i16 == -n * 10_huge_kind**30, 'minimum of 128-bit integers')
        call co_max(i16)
        call check(i16 == -n * 10_huge_kind**30, 'maximum of 128-bit integers')
    end subroutine

    subroutine reals()
        real(real32) :: r4, section(10)
        real(real64) :: r8(3)
        r4 = 0.5 * me
        call co_sum(r4)
        call check(r4 == 0.5 * total, 'sum of real32')
        r8 = [real(real64) :: me, -me, 0]
        call co_max(r8)
        call check(all(r8 == [real(real64) :: n, -1, 0]), 'maximum of real64')
        r8 = [real(real64) :: me, -me, 0]
        call co_min(r8)
        call check(all(r8 == [real(real64) :: 1, -n, 0]), 'minimum of real64')
        section = me
        call co_sum(section(10:1:-3))
        call check(all(section(1:10:3) == total), 'sum of a section backwards')
        call check(all(section([2, 3, 5, 6, 8, 9]) == me), 'what lies between')
    end subroutine

    subroutine complexes()
        complex(real32) :: c4(2)
        complex(real64) :: c8
        c4 = [cmplx(me, -me), cmplx(0, 2 * me)]
        call co_sum(c4)
        call check(all(c4 == [cmplx(total, -total), cmplx(0, 2 * total)]), 'sum of complex')
        c8 = cmplx(1, me, real64)
        call co_sum(c8)
        call check(c8 == cmplx(n, total, real64), 'sum of double complex')
    end subroutine

    subroutine characters()
        integer, parameter :: ucs4 = selected_char_kind('ISO_10646')
        character(3) :: word, words(4)
        character(2, ucs4) :: wide
        word = 'im' // achar(iachar('a') + me)
        call co_max(word)
        call check(word == 'im' // achar(iachar('a') + n), 'maximum of characters')
        words = achar(iachar('z') - me)
        words(3) = 'aaa'
        call co_min(words(1:3:2))
        call check(words(1) == achar(iachar('z') - n) .and. words(3) == 'aaa', 'minimum of characters')
        call check(words(2) == achar(iachar('z') - me), 'characters between')
        wide = char(1000 + me, ucs4) // char(2000 - me, ucs4)
        call co_max(wide)
        call check(wide == char(1000 + n, ucs4) // char(2000 - n, ucs4), 'maximum of wide characters')
        call co_max(word(2:1))
        call check(word == 'im' // achar(iachar('a') + n), 'maximum of an empty substring')
        word = 'x' // achar(iachar('a') + me) // achar(iachar('z') - me)
        call co_max(word(1:2))
        call check(word == 'x' // achar(iachar('a') + n) // achar(iachar('z') - me), 'maximum of a substring')
        word = 'no'
        if (me == n) word = 'yes'
        call co_broadcast(word, n)
        call check(word == 'yes', 'broadcast of characters')
    end subroutine

    subroutine shapes()
        integer, allocatable :: matrix(:, :)
        integer :: cube(3, 4, 5), i
        allocate (matrix(0:6, -2:2))
        matrix = me
        call co_sum(matrix)
        call check(all(matrix == total), 'sum of an allocatable matrix')
        matrix = me
        call co_sum(matrix(1:5:2, :0))
        call check(all(matrix(1:5:2, :0) == total), 'sum of part of a matrix')
        if (n > 1) call check(count(matrix == me) == 35 - 9, 'the rest of a matrix')
        cube = reshape([(i * me, i=1, 60)], [3, 4, 5])
        call co_max(cube(:, 2:4:2, ::2))
        call check(cube(2, 4, 3) == n * (2 + 3 * 3 + 12 * 2), 'maximum of part of a cube')
        call check(cube(2, 3, 3) == me * (2 + 3 * 2 + 12 * 2), 'the rest of a cube')
        call co_sum(cube(2:1, :, :))
    end subroutine

    subroutine result_images()
        integer :: value, image
        character(50) :: text
        do image = 1, n
            value = me
            call co_sum(value, result_image=image)
            if (me == image) call check(value == total, 'sum for one image')
        end do
        call errors(text)
    end subroutine

    subroutine errors(text)
        character(*), intent(out) :: text
        integer :: value, stat
        value = me
        text = 'untouched'
        call co_min(value, stat=stat, errmsg=text)
        call check(value == 1 .and. stat == 0 .and. text == 'untouched', 'STAT= without error')
        call co_max(value, result_image=n + 1, stat=stat, errmsg=text)
        call check(stat /= 0 .and. text /= 'untouched', 'a result image that is none')
        call co_broadcast(value, 0, stat=stat)
        call check(stat /= 0, 'a source image that is none')
    end subroutine

    subroutine broadcasts()
        type :: mixed
            integer :: number
            real(real64) :: values(3)
            character(5) :: name
        end type
        type(mixed) :: one, some(4)
        logical :: flag
        integer :: image, i
        do image = 1, n
            one = mixed(0, 0, ' ')
            if (me == image) one = mixed(image, [1, 2, 3] * image, 'image')
            call co_broadcast(one, source_image=image)
            call check(one%number == image .and. one%name == 'image', 'broadcast of a structure')
            call check(all(one%values == [1, 2, 3] * image), 'broadcast of an array component')
            some = [(mixed(me * i, me, 'x'), i=1, 4)]
            call co_broadcast(some(2::2), image)
            call check(all(some%number == [me, 2 * image, 3 * me, 4 * image]), 'part of an array')
            flag = me == image
            call co_broadcast(flag, image)
            call check(flag, 'broadcast of a logical')
        end do
    end subroutine

    subroutine broadcast_of_components()
        type :: parts
            integer :: number
            real(real64), allocatable :: line(:), table(:, :), missing(:)
            integer(int8), allocatable :: small(:)
            real(real64), allocatable :: scalar
        end type
        type(parts) :: whole
        integer :: image
        do image = 1, n
            whole%number = me
            whole%line = [1, 2, 3]*me
            whole%table = reshape([1, 2, 3, 4, 5, 6]*real(me, real64), [2, 3])
            whole%small = [integer(int8) :: me, 2, 3, 4, 5]
            whole%scalar = me
            call co_broadcast(whole, image)
            call check(whole%number == image .and. all(whole%line == [1, 2, 3]*image), 'broadcast of an allocatable component')
            call check(all(whole%table == reshape([1, 2, 3, 4, 5, 6]*real(image, real64), [2, 3])), 'of rank 2')
            call check(all(whole%small == [image, 2, 3, 4, 5]) .and. whole%scalar == image, 'of small elements, of a scalar')
            call check(.not. allocated(whole%missing), 'a component that is not allocated stays so')
        end do
    end subroutine

    subroutine many_in_a_row()
        integer :: i, value
        do i = 1, 100
            value = me + i
            call co_sum(value)
            call check(value == total + n * i, 'sums in a row')
            value = i * me
            call co_broadcast(value, mod(i, n) + 1)
            call check(value == i * (mod(i, n) + 1), 'broadcasts in a row')
        end do
    end subroutine

    subroutine large()
        real(real64), allocatable :: data(:)
        integer :: i
        allocate (data(100000))
        data = [(real(mod(i, 1000) * me, real64), i=1, 100000)]
        call co_sum(data)
        call check(all(data == [(real(mod(i, 1000) * total, real64), i=1, 100000)]), 'sum of a large array')
        data = [(real(i * me, real64), i=1, 100000)]
        call co_broadcast(data, n)
        call check(all(data == [(real(i * n, real64), i=1, 100000)]), 'broadcast of a large array')
    end subroutine
end program
