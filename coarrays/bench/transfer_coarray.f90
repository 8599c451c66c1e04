! Puts and gets of a block of doubles as coarray assignments (bench/transfer.h).
module transfer_coarray
    use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t, c_loc, c_ptr
    implicit none
    private

    real(c_double), allocatable, target :: x(:)[:]

contains

    function transfer_open(length, elements, stride) result(memory) bind(c)
        integer(c_int64_t), value :: length, elements, stride
        type(c_ptr) :: memory
        if ((elements - 1) * stride >= length) error stop 'transfer_open: the elements do not fit'
        allocate(x(0:length - 1)[*])
        memory = c_loc(x)
    end function transfer_open

    subroutine transfer_close() bind(c)
        deallocate(x)
    end subroutine transfer_close

    subroutine transfer_put(image, first, elements, stride, times, values) bind(c)
        integer(c_int), value :: image, times
        integer(c_int64_t), value :: first, elements, stride
        real(c_double), intent(in) :: values(elements)
        integer(c_int64_t) :: last
        integer :: i
        last = first + (elements - 1) * stride
        if (stride == 1) then
            do i = 1, times
                x(first:last)[image] = values
            end do
        else
            do i = 1, times
                x(first:last:stride)[image] = values
            end do
        end if
        sync memory
    end subroutine transfer_put

    subroutine transfer_get(image, first, elements, stride, times, values) bind(c)
        integer(c_int), value :: image, times
        integer(c_int64_t), value :: first, elements, stride
        real(c_double), intent(inout) :: values(elements)
        integer(c_int64_t) :: last
        integer :: i
        last = first + (elements - 1) * stride
        if (stride == 1) then
            do i = 1, times
                values = x(first:last)[image]
            end do
        else
            do i = 1, times
                values = x(first:last:stride)[image]
            end do
        end if
    end subroutine transfer_get

    subroutine transfer_wait() bind(c)
        sync all
    end subroutine transfer_wait

end module transfer_coarray
