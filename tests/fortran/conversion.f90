! Assignment to and from another image converts as any assignment does: numbers, logicals, characters.
program conversion
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
    use testing, only: check, finish
    implicit none

    integer, parameter :: n = 5
    integer, parameter :: widest_integer = selected_int_kind(38)
    integer, parameter :: extended = selected_real_kind(18), widest_real = selected_real_kind(33)
    ! For each type a coarray, and what it should become.
    integer(int8) :: i1(n)[*], want_i1(n)
    integer(int16) :: i2(n)[*], want_i2(n)
    integer(int32) :: i4(n)[*], want_i4(n)
    integer(int64) :: i8(n)[*], want_i8(n)
    integer(widest_integer) :: i16(n)[*], want_i16(n)
    real(real32) :: r4(n)[*], want_r4(n)
    real(real64) :: r8(n)[*], want_r8(n)
    real(extended) :: r10(n)[*], want_r10(n)
    real(widest_real) :: r16(n)[*], want_r16(n)
    complex(real32) :: c4(n)[*], want_c4(n)
    complex(real64) :: c8(n)[*], want_c8(n)
    integer(int32) :: integers(n), previous_integers(n)
    real(real64) :: reals(n), previous_reals(n), got_reals(n)
    complex(real64) :: complexes(n), previous_complexes(n), got_complexes(n)
    integer(int64) :: got_integers(n)
    integer :: me, images, next, previous, i

    me = this_image()
    images = num_images()
    next = mod(me, images) + 1
    previous = mod(me + images - 2, images) + 1
    integers = [(30 * i - 70 + me, i = 1, n)]
    previous_integers = [(30 * i - 70 + previous, i = 1, n)]
    reals = integers / 7.0_real64
    previous_reals = previous_integers / 7.0_real64
    complexes = cmplx(reals, 2 * reals, real64)
    previous_complexes = cmplx(previous_reals, 2 * previous_reals, real64)

    call numbers()
    call scalars()
    call sections()
    call logicals()
    call characters()
    call finish()

contains

    subroutine numbers()
        ! From integer numbers, and back.
        i1(:)[next] = integers
        i2(:)[next] = integers
        i4(:)[next] = integers
        i8(:)[next] = integers
        i16(:)[next] = integers
        r4(:)[next] = integers
        r8(:)[next] = integers
        r10(:)[next] = integers
        r16(:)[next] = integers
        c4(:)[next] = integers
        c8(:)[next] = integers
        sync all
        want_i1 = previous_integers
        call check(all(i1 == want_i1), 'integer to integer 1')
        want_i2 = previous_integers
        call check(all(i2 == want_i2), 'integer to integer 2')
        want_i4 = previous_integers
        call check(all(i4 == want_i4), 'integer to integer 4')
        want_i8 = previous_integers
        call check(all(i8 == want_i8), 'integer to integer 8')
        want_i16 = previous_integers
        call check(all(i16 == want_i16), 'integer to widest integer')
        want_r4 = previous_integers
        call check(all(r4 == want_r4), 'integer to real 4')
        want_r8 = previous_integers
        call check(all(r8 == want_r8), 'integer to real 8')
        want_r10 = previous_integers
        call check(all(r10 == want_r10), 'integer to extended real')
        want_r16 = previous_integers
        call check(all(r16 == want_r16), 'integer to widest real')
        want_c4 = previous_integers
        call check(all(c4 == want_c4), 'integer to complex 4')
        want_c8 = previous_integers
        call check(all(c8 == want_c8), 'integer to complex 8')
        sync all
        ! From real numbers, and back.
        i1(:)[next] = reals
        i2(:)[next] = reals
        i4(:)[next] = reals
        i8(:)[next] = reals
        i16(:)[next] = reals
        r4(:)[next] = reals
        r8(:)[next] = reals
        r10(:)[next] = reals
        r16(:)[next] = reals
        c4(:)[next] = reals
        c8(:)[next] = reals
        sync all
        want_i1 = previous_reals
        call check(all(i1 == want_i1), 'real to integer 1')
        want_i2 = previous_reals
        call check(all(i2 == want_i2), 'real to integer 2')
        want_i4 = previous_reals
        call check(all(i4 == want_i4), 'real to integer 4')
        want_i8 = previous_reals
        call check(all(i8 == want_i8), 'real to integer 8')
        want_i16 = previous_reals
        call check(all(i16 == want_i16), 'real to widest integer')
        want_r4 = previous_reals
        call check(all(r4 == want_r4), 'real to real 4')
        want_r8 = previous_reals
        call check(all(r8 == want_r8), 'real to real 8')
        want_r10 = previous_reals
        call check(all(r10 == want_r10), 'real to extended real')
        want_r16 = previous_reals
        call check(all(r16 == want_r16), 'real to widest real')
        want_c4 = previous_reals
        call check(all(c4 == want_c4), 'real to complex 4')
        want_c8 = previous_reals
        call check(all(c8 == want_c8), 'real to complex 8')
        sync all
        ! From complex numbers, and back.
        i1(:)[next] = complexes
        i2(:)[next] = complexes
        i4(:)[next] = complexes
        i8(:)[next] = complexes
        i16(:)[next] = complexes
        r4(:)[next] = complexes
        r8(:)[next] = complexes
        r10(:)[next] = complexes
        r16(:)[next] = complexes
        c4(:)[next] = complexes
        c8(:)[next] = complexes
        sync all
        want_i1 = previous_complexes
        call check(all(i1 == want_i1), 'complex to integer 1')
        want_i2 = previous_complexes
        call check(all(i2 == want_i2), 'complex to integer 2')
        want_i4 = previous_complexes
        call check(all(i4 == want_i4), 'complex to integer 4')
        want_i8 = previous_complexes
        call check(all(i8 == want_i8), 'complex to integer 8')
        want_i16 = previous_complexes
        call check(all(i16 == want_i16), 'complex to widest integer')
        want_r4 = previous_complexes
        call check(all(r4 == want_r4), 'complex to real 4')
        want_r8 = previous_complexes
        call check(all(r8 == want_r8), 'complex to real 8')
        want_r10 = previous_complexes
        call check(all(r10 == want_r10), 'complex to extended real')
        want_r16 = previous_complexes
        call check(all(r16 == want_r16), 'complex to widest real')
        want_c4 = previous_complexes
        call check(all(c4 == want_c4), 'complex to complex 4')
        want_c8 = previous_complexes
        call check(all(c8 == want_c8), 'complex to complex 8')
        sync all
        ! What this image has put into the next one is what it gets.
        want_i1 = complexes
        got_integers = i1(:)[next]
        call check(all(got_integers == int(want_i1, int64)), 'integer 1 to integer 8')
        want_i2 = complexes
        got_integers = i2(:)[next]
        call check(all(got_integers == int(want_i2, int64)), 'integer 2 to integer 8')
        want_i4 = complexes
        got_integers = i4(:)[next]
        call check(all(got_integers == int(want_i4, int64)), 'integer 4 to integer 8')
        want_i8 = complexes
        got_integers = i8(:)[next]
        call check(all(got_integers == int(want_i8, int64)), 'integer 8 to integer 8')
        want_i16 = complexes
        got_integers = i16(:)[next]
        call check(all(got_integers == int(want_i16, int64)), 'widest integer to integer 8')
        want_r4 = complexes
        got_integers = r4(:)[next]
        call check(all(got_integers == int(want_r4, int64)), 'real 4 to integer 8')
        want_r8 = complexes
        got_integers = r8(:)[next]
        call check(all(got_integers == int(want_r8, int64)), 'real 8 to integer 8')
        want_r10 = complexes
        got_integers = r10(:)[next]
        call check(all(got_integers == int(want_r10, int64)), 'extended real to integer 8')
        want_r16 = complexes
        got_integers = r16(:)[next]
        call check(all(got_integers == int(want_r16, int64)), 'widest real to integer 8')
        want_c4 = complexes
        got_integers = c4(:)[next]
        call check(all(got_integers == int(want_c4, int64)), 'complex 4 to integer 8')
        want_c8 = complexes
        got_integers = c8(:)[next]
        call check(all(got_integers == int(want_c8, int64)), 'complex 8 to integer 8')
        want_i1 = complexes
        got_reals = i1(:)[next]
        call check(all(got_reals == real(want_i1, real64)), 'integer 1 to real 8')
        want_i2 = complexes
        got_reals = i2(:)[next]
        call check(all(got_reals == real(want_i2, real64)), 'integer 2 to real 8')
        want_i4 = complexes
        got_reals = i4(:)[next]
        call check(all(got_reals == real(want_i4, real64)), 'integer 4 to real 8')
        want_i8 = complexes
        got_reals = i8(:)[next]
        call check(all(got_reals == real(want_i8, real64)), 'integer 8 to real 8')
        want_i16 = complexes
        got_reals = i16(:)[next]
        call check(all(got_reals == real(want_i16, real64)), 'widest integer to real 8')
        want_r4 = complexes
        got_reals = r4(:)[next]
        call check(all(got_reals == real(want_r4, real64)), 'real 4 to real 8')
        want_r8 = complexes
        got_reals = r8(:)[next]
        call check(all(got_reals == real(want_r8, real64)), 'real 8 to real 8')
        want_r10 = complexes
        got_reals = r10(:)[next]
        call check(all(got_reals == real(want_r10, real64)), 'extended real to real 8')
        want_r16 = complexes
        got_reals = r16(:)[next]
        call check(all(got_reals == real(want_r16, real64)), 'widest real to real 8')
        want_c4 = complexes
        got_reals = c4(:)[next]
        call check(all(got_reals == real(want_c4, real64)), 'complex 4 to real 8')
        want_c8 = complexes
        got_reals = c8(:)[next]
        call check(all(got_reals == real(want_c8, real64)), 'complex 8 to real 8')
        want_i1 = complexes
        got_complexes = i1(:)[next]
        call check(all(got_complexes == cmplx(want_i1, kind=real64)), 'integer 1 to complex 8')
        want_i2 = complexes
        got_complexes = i2(:)[next]
        call check(all(got_complexes == cmplx(want_i2, kind=real64)), 'integer 2 to complex 8')
        want_i4 = complexes
        got_complexes = i4(:)[next]
        call check(all(got_complexes == cmplx(want_i4, kind=real64)), 'integer 4 to complex 8')
        want_i8 = complexes
        got_complexes = i8(:)[next]
        call check(all(got_complexes == cmplx(want_i8, kind=real64)), 'integer 8 to complex 8')
        want_i16 = complexes
        got_complexes = i16(:)[next]
        call check(all(got_complexes == cmplx(want_i16, kind=real64)), 'widest integer to complex 8')
        want_r4 = complexes
        got_complexes = r4(:)[next]
        call check(all(got_complexes == cmplx(want_r4, kind=real64)), 'real 4 to complex 8')
        want_r8 = complexes
        got_complexes = r8(:)[next]
        call check(all(got_complexes == cmplx(want_r8, kind=real64)), 'real 8 to complex 8')
        want_r10 = complexes
        got_complexes = r10(:)[next]
        call check(all(got_complexes == cmplx(want_r10, kind=real64)), 'extended real to complex 8')
        want_r16 = complexes
        got_complexes = r16(:)[next]
        call check(all(got_complexes == cmplx(want_r16, kind=real64)), 'widest real to complex 8')
        want_c4 = complexes
        got_complexes = c4(:)[next]
        call check(all(got_complexes == cmplx(want_c4, kind=real64)), 'complex 4 to complex 8')
        want_c8 = complexes
        got_complexes = c8(:)[next]
        call check(all(got_complexes == cmplx(want_c8, kind=real64)), 'complex 8 to complex 8')
        sync all
    end subroutine numbers

    subroutine scalars()
        integer(int64) :: whole
        real(real32) :: fraction

        r4(2)[next] = 7
        i8(:)[next] = 2.9_real64
        c8(1)[next] = -3_int8
        i2(n)[next] = -2.9_real32
        sync all
        call check(r4(2) == 7, 'integer 4 to real 4, one element')
        call check(all(i8 == 2), 'one real 8 to all integers 8')
        call check(c8(1) == (-3, 0), 'integer 1 to complex 8, one element')
        call check(i2(n) == -2, 'real 4 to integer 2, one element')
        r8(3) = me + 0.75_real64
        sync all
        whole = r8(3)[next]
        fraction = r8(3)[next]
        call check(whole == next, 'real 8 to integer 8, one element')
        call check(abs(fraction - next - 0.75) < 1e-6, 'real 8 to real 4, one element')
        sync all
        i4(1)[next] = r8(3)[me]
        sync all
        call check(i4(1) == previous, 'real 8 to integer 4 from image to image')
    end subroutine scalars

    subroutine sections()
        integer, save :: matrix(4, 3)[*]
        integer :: j
        real(real64) :: values(2, 2)

        matrix = reshape([(100 * me + j, j = 1, 12)], [4, 3])
        sync all
        values = matrix(4:1:-2, 1:3:2)[next]
        call check(all(values == 100 * next + reshape([4, 2, 12, 10], [2, 2])), 'integer section to real')
        sync all
        values = reshape([1.5, 2.5, 3.5, 4.5], [2, 2])
        matrix(1:3:2, 3:1:-1)[next] = values(2:1:-1, [1, 2, 1])
        sync all
        call check(all(matrix(1:3:2, :) == reshape([2, 1, 4, 3, 2, 1], [2, 3])), 'real to integer section')
        call check(matrix(2, 2) == 100 * me + 6, 'beside a section')
        sync all
    end subroutine sections

    subroutine logicals()
        integer, parameter :: short = 1, long = 8
        logical(short), save :: flags(4)[*]
        logical(long) :: wide(4)
        logical :: one

        flags = .false.
        sync all
        flags(:)[next] = [(mod(i + me, 2) == 0, i = 1, 4)]
        sync all
        call check(all(flags .eqv. [(mod(i + previous, 2) == 0, i = 1, 4)]), 'logical to logical 1')
        wide = flags(:)[me]
        one = flags(1)[me]
        call check(all(logical(wide) .eqv. [(mod(i + previous, 2) == 0, i = 1, 4)]), 'logical 1 to logical 8')
        call check(one .eqv. mod(1 + previous, 2) == 0, 'logical 1 to logical')
        sync all
    end subroutine logicals

    subroutine characters()
        integer, parameter :: wide = selected_char_kind('ISO_10646')
        character(len=6), save :: text[*], lines(3)[*]
        character(kind=wide, len=4), save :: wide_text[*]
        character(len=9) :: long
        character(len=2) :: short, shorts(3)
        character(kind=wide, len=8) :: wide_long

        text = '......'
        sync all
        text[next] = 'abc'
        lines(:)[next] = 'x'
        sync all
        call check(text == 'abc   ', 'padded')
        call check(all(lines == 'x     '), 'one for all, padded')
        sync all
        text[next] = 'abcdefghi'
        sync all
        call check(text == 'abcdef', 'cut off')
        long = text[next]
        short = text[next]
        call check(long == 'abcdef   ', 'get padded')
        call check(short == 'ab', 'get cut off')
        sync all
        lines(:)[next] = ['12', '34', '56']
        sync all
        shorts = lines(:)[next]
        call check(all(shorts == ['12', '34', '56']), 'lines cut off')
        call check(lines(2) == '34    ', 'lines padded')
        sync all
        wide_text[next] = text
        sync all
        call check(wide_text == wide_'abcd', 'character to wide character')
        wide_text = wide_'a' // char(int(z'20ac'), kind=wide) // wide_'c'
        sync all
        wide_long = wide_text[next]
        call check(wide_long(2:2) == char(int(z'20ac'), kind=wide), 'wide')
        call check(wide_long(3:) == wide_'c', 'wide, padded')
        long = wide_text[next]
        call check(long == 'a?c', 'a wide character that the default kind has not')
        sync all
        text[next] = lines(2)[me]
        lines(1)[next] = ''
        sync all
        call check(text == '34' .and. lines(1) == '', 'from image to image, and without characters')
    end subroutine characters
end program conversion
