! The halo exchange with coarrays (bench/halo.h).
module halo_coarray
    use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t, c_loc, c_ptr
    implicit none
    private

    integer, parameter :: west = 1, east = 2, north = 3, south = 4
    real(c_double), allocatable, target :: x(:, :)[:]
    integer :: n, neighbour(4)
    integer, allocatable :: distinct(:)   ! neighbours without repetition

contains

    function halo_open(edge, sides) result(memory) bind(c)
        integer(c_int64_t), value :: edge
        integer(c_int), intent(in) :: sides(4)
        type(c_ptr) :: memory
        integer :: i
        n = int(edge)
        neighbour = sides
        distinct = [integer ::]
        do i = 1, 4
            if (sides(i) /= 0 .and. .not. any(distinct == sides(i))) distinct = [distinct, sides(i)]
        end do
        allocate(x(0:n + 1, 0:n + 1)[*])
        memory = c_loc(x)
    end function halo_open

    subroutine halo_close() bind(c)
        deallocate(x)
    end subroutine halo_close

    subroutine halo_exchange(times) bind(c)
        integer(c_int), value :: times
        integer :: i
        do i = 1, times
            ! The neighbours no longer read their halos.
            sync images (distinct)
            if (neighbour(west) /= 0) x(1:n, n + 1)[neighbour(west)] = x(1:n, 1)
            if (neighbour(east) /= 0) x(1:n, 0)[neighbour(east)] = x(1:n, n)
            if (neighbour(north) /= 0) x(n + 1, 1:n)[neighbour(north)] = x(1, 1:n)
            if (neighbour(south) /= 0) x(0, 1:n)[neighbour(south)] = x(n, 1:n)
            sync images (distinct)
        end do
    end subroutine halo_exchange

end module halo_coarray
