! Puts and gets of a block of doubles with MPI's one-sided communication (bench/transfer.h).
module transfer_mpi
    use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t, c_ptr
    use mpi_f08
    implicit none
    private

    ! A communicator of its own, so that errors end the program with MPI's message.
    type(MPI_Comm) :: images
    type(MPI_Win) :: window
    type(MPI_Datatype) :: apart   ! the elements in the window

contains

    function transfer_open(length, elements, stride) result(memory) bind(c)
        integer(c_int64_t), value :: length, elements, stride
        type(c_ptr) :: memory
        call MPI_Comm_dup(MPI_COMM_WORLD, images)
        call MPI_Comm_set_errhandler(images, MPI_ERRORS_ARE_FATAL)
        call MPI_Win_allocate(8 * int(length, MPI_ADDRESS_KIND), 8, MPI_INFO_NULL, images, memory, window)
        call MPI_Win_lock_all(MPI_MODE_NOCHECK, window)
        if ((elements - 1) * stride >= length) error stop 'transfer_open: the elements do not fit'
        call MPI_Type_vector(int(elements), 1, int(stride), MPI_DOUBLE_PRECISION, apart)
        call MPI_Type_commit(apart)
    end function transfer_open

    subroutine transfer_close() bind(c)
        call MPI_Type_free(apart)
        call MPI_Win_unlock_all(window)
        call MPI_Win_free(window)
        call MPI_Comm_free(images)
    end subroutine transfer_close

    subroutine transfer_put(image, first, elements, stride, times, values) bind(c)
        integer(c_int), value :: image, times
        integer(c_int64_t), value :: first, elements, stride
        real(c_double), intent(in), asynchronous :: values(elements)
        integer :: i, count
        count = int(elements)
        if (stride == 1) then
            do i = 1, times
                call MPI_Put(values, count, MPI_DOUBLE_PRECISION, image - 1, &
                             int(first, MPI_ADDRESS_KIND), count, MPI_DOUBLE_PRECISION, window)
            end do
        else
            do i = 1, times
                call MPI_Put(values, count, MPI_DOUBLE_PRECISION, image - 1, &
                             int(first, MPI_ADDRESS_KIND), 1, apart, window)
            end do
        end if
        call MPI_Win_flush(image - 1, window)
    end subroutine transfer_put

    subroutine transfer_get(image, first, elements, stride, times, values) bind(c)
        integer(c_int), value :: image, times
        integer(c_int64_t), value :: first, elements, stride
        real(c_double), intent(inout), asynchronous :: values(elements)
        integer :: i, count
        count = int(elements)
        do i = 1, times
            if (stride == 1) then
                call MPI_Get(values, count, MPI_DOUBLE_PRECISION, image - 1, &
                             int(first, MPI_ADDRESS_KIND), count, MPI_DOUBLE_PRECISION, window)
            else
                call MPI_Get(values, count, MPI_DOUBLE_PRECISION, image - 1, &
                             int(first, MPI_ADDRESS_KIND), 1, apart, window)
            end if
            call MPI_Win_flush(image - 1, window)
        end do
    end subroutine transfer_get

    subroutine transfer_wait() bind(c)
        call MPI_Win_sync(window)
        call MPI_Barrier(images)
        call MPI_Win_sync(window)
    end subroutine transfer_wait

end module transfer_mpi
