! Pointer components of which the targets were not allocated through them: memory of one image alone, read and
! written by others of its node. Images of other nodes are told by STAT= that they cannot; GNU Fortran 15 and later do
! not ask the library.
program pointers
    use, intrinsic :: iso_c_binding, only: c_f_pointer, c_intptr_t, c_null_ptr
    use, intrinsic :: iso_fortran_env, only: compiler_version, real64
    use testing, only: check, finish
    implicit none

    type :: inner
        integer :: n
        real, pointer :: deep(:) => null()
        integer, allocatable :: own(:)
    end type inner

    type :: outer
        real, pointer :: line(:) => null(), grid(:, :) => null()
        integer, pointer :: scalar => null()
        type(inner), pointer :: structures(:) => null()
    end type outer

    type(outer) :: x[*]
    real, target :: line(40), grid(12, 9), shared(10)[*]
    integer, target :: scalar
    type(inner), target :: structures(3)
    integer :: me, images, next, previous, i, j

    me = this_image()
    images = num_images()
    next = mod(me, images) + 1
    previous = modulo(me - 2, images) + 1
    call fill()
    if (can_reach()) then
        call gets()
        call puts()
        call from_image_to_image()
        call overlap()
        call to_a_coarray()
        call to_nothing()
    end if
    call finish()

contains

    subroutine fill()
        line = [(100*me + i, i = 1, 40)]
        grid = reshape([(1000*me + i, i = 1, 108)], [12, 9])
        scalar = 7*me
        structures%n = [me, 2*me, 3*me]
        x%line => line
        x%grid => grid(::2, ::3)
        x%scalar => scalar
        x%structures => structures
        structures(2)%deep => line(11:20)
        allocate (structures(3)%own(4))
        structures(3)%own = me + [1, 2, 3, 4]
        sync all
    end subroutine fill

    logical function can_reach()
        character(len=:), allocatable :: compiler
        integer :: stat

        compiler = compiler_version()
        can_reach = index(compiler, 'version 15') == 0 .and. index(compiler, 'version 16') == 0
        if (.not. can_reach) return
        stat = 0
        do i = 1, images
            if (stat == 0) j = x[i, stat=stat]%scalar
        end do
        call co_max(stat)
        can_reach = stat == 0
    end function can_reach

    subroutine gets()
        real :: values(40), part(6, 3)
        real(real64) :: converted(5)
        integer :: numbers(3), value

        values = x[next]%line(:)
        call check(all(values == [(100*next + i, i = 1, 40)]), 'whole target')
        values(1:4) = x[next]%line(40:1:-13)
        call check(all(values(1:4) == 100*next + [40, 27, 14, 1]), 'backwards')
        numbers = [5, 2, 9]
        values(1:3) = x[next]%line(numbers)
        call check(all(values(1:3) == 100*next + [5, 2, 9]), 'vector subscript')
        part = x[next]%grid(:, :)
        call check(all(part == reshape([((1000*next + i + 12*(j - 1), i=1, 12, 2), j=1, 9, 3)], [6, 3])), 'grid')
        value = x[next]%scalar
        call check(value == 7*next, 'scalar')
        value = x[next]%structures(3)%n
        call check(value == 3*next, 'structure')
        values(1:10) = x[next]%structures(2)%deep(:)
        call check(all(values(1:10) == [(100*next + i, i = 11, 20)]), 'pointer in a target')
        numbers = x[next]%structures(3)%own(2:4)
        call check(all(numbers == next + [2, 3, 4]), 'allocatable component of a target')
        converted = x[next]%line(1:5)
        call check(all(nint(converted) == 100*next + [1, 2, 3, 4, 5]), 'converted')
        sync all
    end subroutine gets

    subroutine puts()
        x[next]%line(2:6:2) = real([me, me + 1, me + 2])
        x[next]%line(30:34) = [1, 2, 3, 4, 5]
        x[next]%scalar = -me
        x[next]%grid(2, :) = real(-me)
        sync all
        call check(all(line(1:6) == [100*me + 1, previous, 100*me + 3, previous + 1, 100*me + 5, previous + 2]), 'put')
        call check(all(line(30:34) == [1, 2, 3, 4, 5]), 'put converted')
        call check(scalar == -previous, 'put of a scalar')
        call check(all(grid(3, 1:9:3) == -previous) .and. nint(grid(3, 2)) == 1000*me + 15, 'put of a row')
        sync all
    end subroutine puts

    subroutine from_image_to_image()
        x[next]%line(7) = x[previous]%line(8)
        sync all
        call check(nint(line(7)) == 100*(modulo(previous - 2, images) + 1) + 8, 'from image to image')
        sync all
    end subroutine from_image_to_image

    subroutine overlap()
        line = [(100*me + i, i = 1, 40)]
        x[me]%line(2:20) = line(1:19)
        call check(all(line(2:20) == [(100*me + i, i = 1, 19)]), 'the own target, which overlaps')
        sync all
    end subroutine overlap

    subroutine to_a_coarray()
        real :: values(10)

        x%line => shared
        shared = me
        sync all
        values = x[next]%line(:)
        call check(all(nint(values) == next), 'a coarray as target')
        sync all
    end subroutine to_a_coarray
    ! Where nothing is.
    subroutine to_nothing()
        real :: values(3)
        integer :: stat

        call c_f_pointer(transfer(16_c_intptr_t, c_null_ptr), x%line, [3])
        if (images == 1) return
        stat = 0
        values = -1
        sync all
        values = x[next, stat=stat]%line(1:3)
        call check(stat /= 0 .and. all(values == -1), 'a target that is nowhere')
        sync all
    end subroutine to_nothing
end program pointers
