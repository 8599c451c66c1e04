! The Burgers solver with coarrays: single values fetched from the neighbour images.
module burgers_coarray
    use, intrinsic :: iso_c_binding, only: c_double, c_int
    implicit none
    private

    ! The arrays of the stages, with a cell for a neighbour's value at either end.
    real(c_double), allocatable :: u(:, :)[:]
    integer :: n
    ! Number of the array that holds the result.
    integer :: current

contains

    subroutine burgers_create(cells) bind(C, name='burgers_coarray_create')
        integer(c_int), value :: cells

        n = cells
        allocate (u(0:n + 1, 0:3)[*])
    end subroutine burgers_create

    subroutine burgers_set(values) bind(C, name='burgers_coarray_set')
        real(c_double), intent(in) :: values(n)

        u(1:n, 0) = values
        sync all
    end subroutine burgers_set

    subroutine burgers_run(steps, convection, diffusion, left, right) bind(C, name='burgers_coarray_run')
        integer(c_int), value :: steps, left, right
        real(c_double), value :: convection, diffusion
        integer :: step, stage, now, next

        do step = 0, steps - 1
            do stage = 0, 2
                now = burgers_array(step, stage)
                next = burgers_array(step, stage + 1)
                u(0, now) = u(n, now)[left]
                u(n + 1, now) = u(1, now)[right]
                call burgers_stage(stage, n, convection, diffusion, u(1, burgers_array(step, 0)), &
                    u(0, now), u(1, next))
                call sync_neighbours(left, right)
            end do
        end do
        current = burgers_array(steps, 0)
    end subroutine burgers_run

    ! The next stage reads what the neighbours have written in this one. One synchronisation a stage is
    ! enough, because no stage writes the array that a neighbour may still be reading.
    subroutine sync_neighbours(left, right)
        integer, intent(in) :: left, right

        if (left /= right) then
            sync images ([left, right])
        else if (left /= this_image()) then
            sync images (left)
        end if
    end subroutine sync_neighbours

    subroutine burgers_get(values) bind(C, name='burgers_coarray_get')
        real(c_double), intent(out) :: values(n)

        values = u(1:n, current)
    end subroutine burgers_get

    subroutine burgers_destroy() bind(C, name='burgers_coarray_destroy')
        deallocate (u)
    end subroutine burgers_destroy

    include 'burgers_stage.inc'

end module burgers_coarray
