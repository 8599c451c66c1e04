! Scalars of every intrinsic type are read from and written to the next image.
program scalars
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
    use testing, only: check, finish
    implicit none

    integer(int8) :: i1[*], o1[*]
    integer(int16) :: i2[*], o2[*]
    integer(int32) :: i4[*], o4[*]
    integer(int64) :: i8[*], o8[*]
    real(real32) :: r4[*], p4[*]
    real(real64) :: r8[*], p8[*]
    ! GNU Fortran 12 compiles complex scalars that are static coarrays to accesses to a copy.
    complex(real32), allocatable :: c4[:], d4[:]
    complex(real64), allocatable :: c8[:], d8[:]
    logical :: l[*], m[*]
    character(len=11) :: s[*], t[*]
    integer :: list(5)[*], ring[*]
    integer :: me, images, next, previous, i

    me = this_image()
    images = num_images()
    next = mod(me, images) + 1
    previous = mod(me + images - 2, images) + 1

    allocate (c4[*], d4[*], c8[*], d8[*])
    i1 = int(me, int8)
    i2 = int(-100 * me, int16)
    i4 = 100000 * me
    i8 = 10000000000_int64 * me
    r4 = me / 8.0
    r8 = me / 3.0_real64
    c4 = cmplx(me, -me)
    c8 = cmplx(me, 1 / 3.0_real64, real64)
    l = mod(me, 2) == 0
    write (s, '(a,i0)') 'image ', me
    list = [(10 * me + i, i = 1, 5)]
    sync all

    call check(i1[next] == next .and. i2[next] == -100 * next, 'get integer 1 and 2')
    call check(i4[next] == 100000 * next .and. i8[next] == 10000000000_int64 * next, 'get integer 4 and 8')
    call check(r4[next] == next / 8.0 .and. r8[next] == next / 3.0_real64, 'get real')
    call check(c4[next] == cmplx(next, -next), 'get complex 4')
    call check(c8[next] == cmplx(next, 1 / 3.0_real64, real64), 'get complex 8')
    call check(l[next] .eqv. mod(next, 2) == 0, 'get logical')
    call check(s[next] == 'image ' // char(iachar('0') + next), 'get character')
    call check(list(3)[next] == 10 * next + 3, 'get an element')

    o1[next] = i1
    o2[next] = i2
    o4[next] = i4
    o8[next] = i8
    p4[next] = r4
    p8[next] = r8
    d4[next] = c4
    d8[next] = c8
    m[next] = l
    t[next] = s
    sync all
    list(mod(me, 5) + 1)[next] = -me
    sync all
    call check(o1 == previous .and. o2 == -100 * previous, 'put integer 1 and 2')
    call check(o4 == 100000 * previous .and. o8 == 10000000000_int64 * previous, 'put integer 4 and 8')
    call check(p4 == previous / 8.0 .and. p8 == previous / 3.0_real64, 'put real')
    call check(d4 == cmplx(previous, -previous), 'put complex 4')
    call check(d8 == cmplx(previous, 1 / 3.0_real64, real64), 'put complex 8')
    call check(m .eqv. mod(previous, 2) == 0, 'put logical')
    call check(t == 'image ' // char(iachar('0') + previous), 'put character')
    call check(list(mod(previous, 5) + 1) == -previous, 'put an element')

    ! An image sees its own puts at once, and what it does to itself through its image number.
    ring[next] = me
    call check(ring[next] == me .or. images == 1, 'get after put')
    sync all
    ring[me] = 5
    ring[me] = ring[me] + ring
    call check(ring == 10 .and. ring[me] == 10, 'this image by its number')

    ! A value that goes round all images.
    sync all
    if (me == 1) ring = 100
    do i = 1, images - 1
        sync all
        if (me == i) ring[i + 1] = ring + 1
    end do
    sync all
    call check(ring == 99 + me, 'a value that went round')
    call finish()
end program scalars
