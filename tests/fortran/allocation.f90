! Coarrays that are static, allocatable, owned by a procedure, of several dimensions and codimensions.
program allocation
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use testing, only: check, finish
    implicit none

    integer :: counter[*] = 42
    real(real64) :: matrix(3, -1:2)[0:*] = 1.5_real64
    real(real64), allocatable :: field(:, :, :)[:]
    integer, allocatable :: scalar[:], nothing(:)[:], grid(:)[:, :]
    integer :: me, images, next, repeat

    me = this_image()
    images = num_images()
    next = mod(me, images) + 1

    call check(counter[next] == 42, 'initial value of a scalar')
    call check(all(matrix(:, :)[next - 1] == 1.5_real64), 'initial value of an array')
    call check(lcobound(matrix, 1) == 0 .and. ucobound(matrix, 1) == images - 1, 'cobounds')
    call check(this_image(matrix, 1) == me - 1, 'this_image of a coarray')
    call check(image_index(matrix, [images - 1]) == images, 'image_index')
    call check(image_index(matrix, [images]) == 0, 'image_index beyond the last image')

    call check(.not. allocated(field), 'not yet allocated')
    allocate (field(0:4, 3, -2:2)[*])
    call check(allocated(field), 'allocated')
    call check(all(lbound(field) == [0, 1, -2]) .and. all(ubound(field) == [4, 3, 2]), 'bounds')
    field = me
    field(4, 3, 2) = -me
    sync all
    call check(field(0, 1, -2)[next] == next, 'first element')
    call check(field(4, 3, 2)[next] == -next, 'last element')
    sync all
    deallocate (field)
    call check(.not. allocated(field), 'deallocated')

    allocate (scalar[*], source=7)
    call check(scalar[next] == 7, 'allocatable scalar with source')
    sync all
    deallocate (scalar)

    allocate (nothing(5:4)[*])
    call check(size(nothing) == 0, 'array without elements')
    deallocate (nothing)

    allocate (grid(2)[2, *])
    grid = [me, 10 * me]
    sync all
    call check(all(grid(:)[1, 1] == [1, 10]), 'two codimensions')
    if (images > 2) call check(all(grid(:)[1, 2] == [3, 30]), 'second row of images')
    sync all
    deallocate (grid)

    do repeat = 1, 50
        call owner(repeat)
    end do
    call errors()
    call memory_returns()
    call finish()

contains

    ! Its coarrays are deallocated when it returns.
    subroutine owner(n)
        integer, intent(in) :: n
        integer, allocatable :: local(:)[:]
        real, allocatable :: number[:]
        integer, save :: calls[*] = 0

        allocate (local(n)[*], number[*])
        call check(all(local == local), 'memory of a procedure')
        local = me * n
        number = me
        calls = calls + 1
        sync all
        call check(local(n)[next] == next * n, 'coarray of a procedure')
        call check(number[next] == next .and. calls[next] == n, 'scalars of a procedure')
        sync all
    end subroutine owner

    subroutine errors()
        integer, allocatable :: small(:)[:]
        real(real64), allocatable :: huge_one(:)[:]
        integer(int64), parameter :: eight_tb = 10_int64**12
        integer :: code
        character(len=60) :: message

        message = 'unchanged'
        allocate (small(3)[*], stat=code, errmsg=message)
        call check(code == 0 .and. message == 'unchanged', 'allocate with stat and errmsg')
        allocate (small(3)[*], stat=code, errmsg=message)
        call check(code /= 0 .and. message /= 'unchanged', 'allocate of what is allocated')
        deallocate (small, stat=code)
        call check(code == 0, 'deallocate with stat')
        message = 'unchanged'
        deallocate (small, stat=code, errmsg=message)
        call check(code /= 0 .and. message /= 'unchanged', 'deallocate of what is not allocated')

        message = 'unchanged'
        allocate (huge_one(eight_tb)[*], stat=code, errmsg=message)
        call check(code /= 0, 'stat of 8 TB')
        call check(message /= 'unchanged' .and. len_trim(message) > 0, 'errmsg of 8 TB')
        call check(.not. allocated(huge_one), '8 TB are not allocated')
        allocate (small(2)[*])
        small = me
        sync all
        call check(small(2)[next] == next, 'allocate after an error')
        sync all
    end subroutine errors

    ! More than the machine has in all, if it were not returned.
    subroutine memory_returns()
        integer(int64), allocatable :: large(:)[:]
        integer :: round

        do round = 1, 20
            allocate (large(200000)[*])
            large(200000) = round
            sync all
            call check(large(200000)[next] == round, 'large coarray')
            sync all
            deallocate (large)
        end do
    end subroutine memory_returns
end program allocation
