! The Burgers solver with MPI messages.
module burgers_mpi
    use, intrinsic :: iso_c_binding, only: c_double, c_int
    use mpi_f08
    implicit none
    private

    ! The arrays of the stages, with a cell for a neighbour's value at either end.
    real(c_double), allocatable, asynchronous :: u(:, :)
    integer :: n
    ! Number of the array that holds the result.
    integer :: current
    integer, parameter :: to_left = 1, to_right = 2

contains

    subroutine burgers_create(cells) bind(C, name='burgers_mpi_create')
        integer(c_int), value :: cells

        n = cells
        allocate (u(0:n + 1, 0:3), source=0.0_c_double)
    end subroutine burgers_create

    subroutine burgers_set(values) bind(C, name='burgers_mpi_set')
        real(c_double), intent(in) :: values(n)

        u(1:n, 0) = values
    end subroutine burgers_set

    subroutine burgers_run(steps, convection, diffusion, left, right) bind(C, name='burgers_mpi_run')
        integer(c_int), value :: steps, left, right
        real(c_double), value :: convection, diffusion
        integer :: step, stage, now

        do step = 0, steps - 1
            do stage = 0, 2
                now = burgers_array(step, stage)
                call exchange(u(0, now), left - 1, right - 1)
                call burgers_stage(stage, n, convection, diffusion, u(1, burgers_array(step, 0)), &
                    u(0, now), u(1, burgers_array(step, stage + 1)))
            end do
        end do
        current = burgers_array(steps, 0)
    end subroutine burgers_run

    subroutine exchange(values, left, right)
        real(c_double), intent(inout), asynchronous :: values(0:n + 1)
        integer, intent(in) :: left, right
        type(MPI_Request) :: requests(4)

        call MPI_Irecv(values(0), 1, MPI_DOUBLE_PRECISION, left, to_right, MPI_COMM_WORLD, requests(1))
        call MPI_Irecv(values(n + 1), 1, MPI_DOUBLE_PRECISION, right, to_left, MPI_COMM_WORLD, requests(2))
        call MPI_Isend(values(n), 1, MPI_DOUBLE_PRECISION, right, to_right, MPI_COMM_WORLD, requests(3))
        call MPI_Isend(values(1), 1, MPI_DOUBLE_PRECISION, left, to_left, MPI_COMM_WORLD, requests(4))
        call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
    end subroutine exchange

    subroutine burgers_get(values) bind(C, name='burgers_mpi_get')
        real(c_double), intent(out) :: values(n)

        values = u(1:n, current)
    end subroutine burgers_get

    subroutine burgers_destroy() bind(C, name='burgers_mpi_destroy')
        deallocate (u)
    end subroutine burgers_destroy

    include 'burgers_stage.inc'

end module burgers_mpi
