! The halo exchange with two-sided MPI (bench/halo.h).
module halo_mpi
    use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t, c_loc, c_ptr
    use mpi_f08
    implicit none
    private

    integer, parameter :: west = 1, east = 2, north = 3, south = 4
    real(c_double), allocatable, target, asynchronous :: x(:, :)
    integer :: n, rank(4)
    ! A communicator of its own, so that errors end the program with MPI's message.
    type(MPI_Comm) :: images
    type(MPI_Datatype) :: strided   ! a row of cells

contains

    function halo_open(edge, neighbour) result(memory) bind(c)
        integer(c_int64_t), value :: edge
        integer(c_int), intent(in) :: neighbour(4)
        type(c_ptr) :: memory
        n = int(edge)
        rank = merge(neighbour - 1, MPI_PROC_NULL, neighbour /= 0)
        allocate(x(0:n + 1, 0:n + 1))
        x = 0
        call MPI_Comm_dup(MPI_COMM_WORLD, images)
        call MPI_Comm_set_errhandler(images, MPI_ERRORS_ARE_FATAL)
        call MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE_PRECISION, strided)
        call MPI_Type_commit(strided)
        memory = c_loc(x)
    end function halo_open

    subroutine halo_close() bind(c)
        call MPI_Type_free(strided)
        call MPI_Comm_free(images)
        deallocate(x)
    end subroutine halo_close

    ! The tag is the side of the receiver's halo.
    subroutine halo_exchange(times) bind(c)
        integer(c_int), value :: times
        type(MPI_Request) :: requests(8)
        integer :: i
        do i = 1, times
            call MPI_Irecv(x(1, 0), n, MPI_DOUBLE_PRECISION, rank(west), west, images, requests(1))
            call MPI_Irecv(x(1, n + 1), n, MPI_DOUBLE_PRECISION, rank(east), east, images, requests(2))
            call MPI_Irecv(x(0, 1), 1, strided, rank(north), north, images, requests(3))
            call MPI_Irecv(x(n + 1, 1), 1, strided, rank(south), south, images, requests(4))
            call MPI_Isend(x(1, 1), n, MPI_DOUBLE_PRECISION, rank(west), east, images, requests(5))
            call MPI_Isend(x(1, n), n, MPI_DOUBLE_PRECISION, rank(east), west, images, requests(6))
            call MPI_Isend(x(1, 1), 1, strided, rank(north), south, images, requests(7))
            call MPI_Isend(x(n, 1), 1, strided, rank(south), north, images, requests(8))
            call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE)
        end do
    end subroutine halo_exchange

end module halo_mpi
