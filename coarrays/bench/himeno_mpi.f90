! The Himeno benchmark with MPI messages: derived datatypes for the layers that go to neighbours.
module himeno_mpi
    use, intrinsic :: iso_c_binding, only: c_double, c_float, c_int
    use mpi_f08
    implicit none
    private

    ! Inner points of this image, largest of all images, and the lower and upper neighbours.
    integer :: nx, ny, nz, mx, my, mz
    integer :: ranks(2, 3)
    ! (side, dimension): the layer that goes to that neighbour, and where its layer arrives.
    type(MPI_Datatype) :: leaving(2, 3), arriving(2, 3)
    real(c_float), allocatable, asynchronous :: p(:, :, :)
    real(c_float), allocatable :: next(:, :, :)

contains

    subroutine himeno_create(extents, neighbour) bind(C, name='himeno_mpi_create')
        integer(c_int), intent(in) :: extents(3, 3), neighbour(2, 3)
        integer :: d

        nx = extents(1, 2); ny = extents(2, 2); nz = extents(3, 2)
        mx = extents(1, 3); my = extents(2, 3); mz = extents(3, 3)
        ranks = merge(neighbour - 1, MPI_PROC_NULL, neighbour > 0)
        allocate (next(nx, ny, nz))
        allocate (p(0:mx + 1, 0:my + 1, 0:mz + 1))
        do d = 1, 3
            leaving(:, d) = [layer_type(d, 1), layer_type(d, extents(d, 2))]
            arriving(:, d) = [layer_type(d, 0), layer_type(d, extents(d, 2) + 1)]
        end do
    end subroutine himeno_create

    ! The points with that index in dimension d: in the dimensions before with the halo, which has come
    ! by then, in those after without.
    type(MPI_Datatype) function layer_type(d, index)
        integer, intent(in) :: d, index
        integer :: counts(3), starts(3)

        counts = [nx, ny, nz]
        starts = 1
        counts(:d - 1) = counts(:d - 1) + 2
        starts(:d - 1) = 0
        counts(d) = 1
        starts(d) = index
        call MPI_Type_create_subarray(3, shape(p), counts, starts, MPI_ORDER_FORTRAN, MPI_REAL, layer_type)
        call MPI_Type_commit(layer_type)
    end function layer_type

    subroutine himeno_set(pressure) bind(C, name='himeno_mpi_set')
        real(c_float), intent(in) :: pressure(0:nx + 1, 0:ny + 1, 0:nz + 1)

        p(0:nx + 1, 0:ny + 1, 0:nz + 1) = pressure
    end subroutine himeno_set

    subroutine himeno_run(iterations, a, b, c, bound, source, gosa) bind(C, name='himeno_mpi_run')
        integer(c_int), value :: iterations
        real(c_float), intent(in) :: a(nx, ny, nz, 4), b(nx, ny, nz, 3), c(nx, ny, nz, 3)
        real(c_float), intent(in) :: bound(nx, ny, nz), source(nx, ny, nz)
        real(c_double), intent(out) :: gosa
        integer :: iteration

        do iteration = 1, iterations
            call himeno_jacobi(p, a, b, c, bound, source, next, gosa)
            p(1:nx, 1:ny, 1:nz) = next
            call exchange(p)
            call MPI_Allreduce(MPI_IN_PLACE, gosa, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
        end do
    end subroutine himeno_run

    ! A layer holds what the exchanges in the dimensions before have brought, so that edges arrive, too.
    ! The tag is the side that a layer goes to.
    subroutine exchange(pressure)
        real(c_float), intent(inout), asynchronous :: pressure(0:mx + 1, 0:my + 1, 0:mz + 1)
        type(MPI_Request) :: requests(4)
        integer :: d, side

        do d = 1, 3
            do side = 1, 2
                call MPI_Irecv(pressure, 1, arriving(side, d), ranks(side, d), 3 - side, MPI_COMM_WORLD, &
                    requests(side))
                call MPI_Isend(pressure, 1, leaving(side, d), ranks(side, d), side, MPI_COMM_WORLD, &
                    requests(2 + side))
            end do
            call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
        end do
    end subroutine exchange

    subroutine himeno_get(pressure) bind(C, name='himeno_mpi_get')
        real(c_float), intent(out) :: pressure(0:nx + 1, 0:ny + 1, 0:nz + 1)

        pressure = p(0:nx + 1, 0:ny + 1, 0:nz + 1)
    end subroutine himeno_get

    subroutine himeno_destroy() bind(C, name='himeno_mpi_destroy')
        integer :: d, side

        do d = 1, 3
            do side = 1, 2
                call MPI_Type_free(leaving(side, d))
                call MPI_Type_free(arriving(side, d))
            end do
        end do
        deallocate (p, next)
    end subroutine himeno_destroy

    include 'himeno_jacobi.inc'

end module himeno_mpi
