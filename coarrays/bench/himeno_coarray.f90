! The Himeno benchmark with coarrays: halos are sections of the pressure that are put to neighbours.
module himeno_coarray
    use, intrinsic :: iso_c_binding, only: c_double, c_float, c_int
    implicit none
    private

    ! Inner points of this image, largest of all images, image numbers of the lower and upper
    ! neighbours (0: none), and the lower neighbours' inner points.
    integer :: nx, ny, nz, mx, my, mz
    integer :: neighbours(2, 3), lower(3)
    real(c_float), allocatable :: p(:, :, :)[:]
    real(c_float), allocatable :: next(:, :, :)

contains

    subroutine himeno_create(extents, neighbour) bind(C, name='himeno_coarray_create')
        integer(c_int), intent(in) :: extents(3, 3), neighbour(2, 3)

        lower = extents(:, 1)
        nx = extents(1, 2); ny = extents(2, 2); nz = extents(3, 2)
        mx = extents(1, 3); my = extents(2, 3); mz = extents(3, 3)
        neighbours = neighbour
        allocate (next(nx, ny, nz))
        allocate (p(0:mx + 1, 0:my + 1, 0:mz + 1)[*])
    end subroutine himeno_create

    subroutine himeno_set(pressure) bind(C, name='himeno_coarray_set')
        real(c_float), intent(in) :: pressure(0:nx + 1, 0:ny + 1, 0:nz + 1)

        p(0:nx + 1, 0:ny + 1, 0:nz + 1) = pressure
        sync all
    end subroutine himeno_set

    subroutine himeno_run(iterations, a, b, c, bound, source, gosa) bind(C, name='himeno_coarray_run')
        integer(c_int), value :: iterations
        real(c_float), intent(in) :: a(nx, ny, nz, 4), b(nx, ny, nz, 3), c(nx, ny, nz, 3)
        real(c_float), intent(in) :: bound(nx, ny, nz), source(nx, ny, nz)
        real(c_double), intent(out) :: gosa
        integer :: iteration

        do iteration = 1, iterations
            call himeno_jacobi(p, a, b, c, bound, source, next, gosa)
            p(1:nx, 1:ny, 1:nz) = next
            ! The neighbours do not read their halo any more.
            call sync_neighbours(1, 3)
            call exchange()
            call co_sum(gosa)
        end do
    end subroutine himeno_run

    ! A layer holds what the exchanges in the dimensions before have brought, so that edges arrive, too.
    subroutine exchange()
        associate (west => neighbours(1, 1), east => neighbours(2, 1), south => neighbours(1, 2), &
                   north => neighbours(2, 2), below => neighbours(1, 3), above => neighbours(2, 3))
            if (west > 0) p(lower(1) + 1, 1:ny, 1:nz)[west] = p(1, 1:ny, 1:nz)
            if (east > 0) p(0, 1:ny, 1:nz)[east] = p(nx, 1:ny, 1:nz)
            call sync_neighbours(1, 1)
            if (south > 0) p(0:nx + 1, lower(2) + 1, 1:nz)[south] = p(0:nx + 1, 1, 1:nz)
            if (north > 0) p(0:nx + 1, 0, 1:nz)[north] = p(0:nx + 1, ny, 1:nz)
            call sync_neighbours(2, 2)
            if (below > 0) p(0:nx + 1, 0:ny + 1, lower(3) + 1)[below] = p(0:nx + 1, 0:ny + 1, 1)
            if (above > 0) p(0:nx + 1, 0:ny + 1, 0)[above] = p(0:nx + 1, 0:ny + 1, nz)
            call sync_neighbours(3, 3)
        end associate
    end subroutine exchange

    ! With the neighbours in these dimensions.
    subroutine sync_neighbours(first, last)
        integer, intent(in) :: first, last
        integer :: images(6), n, d, side

        n = 0
        do d = first, last
            do side = 1, 2
                if (neighbours(side, d) == 0) cycle
                n = n + 1
                images(n) = neighbours(side, d)
            end do
        end do
        if (n > 0) sync images (images(1:n))
    end subroutine sync_neighbours

    subroutine himeno_get(pressure) bind(C, name='himeno_coarray_get')
        real(c_float), intent(out) :: pressure(0:nx + 1, 0:ny + 1, 0:nz + 1)

        pressure = p(0:nx + 1, 0:ny + 1, 0:nz + 1)
    end subroutine himeno_get

    subroutine himeno_destroy() bind(C, name='himeno_coarray_destroy')
        deallocate (next)
        deallocate (p)
    end subroutine himeno_destroy

    include 'himeno_jacobi.inc'

end module himeno_coarray
