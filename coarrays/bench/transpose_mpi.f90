! The distributed transpose with MPI_Alltoall, packed and unpacked.
module transpose_mpi
    use, intrinsic :: iso_c_binding, only: c_double, c_int
    use mpi_f08
    implicit none
    private

    ! Of the whole array, and of one image's slabs.
    integer :: images, nx, ny, nz, slab_y, slab_z
    real(c_double), allocatable :: b(:, :, :)
    ! The last dimension is the image that a block goes to or comes from.
    real(c_double), allocatable :: leaving(:, :, :, :), arriving(:, :, :, :)

contains

    subroutine transpose_create(size) bind(C, name='transpose_mpi_create')
        integer(c_int), intent(in) :: size(3)

        call MPI_Comm_size(MPI_COMM_WORLD, images)
        nx = size(1); ny = size(2); nz = size(3)
        slab_y = ny / images
        slab_z = nz / images
        allocate (b(nx, nz, slab_y))
        allocate (leaving(nx, slab_z, slab_y, images), arriving(nx, slab_z, slab_y, images))
    end subroutine transpose_create

    subroutine transpose_clear() bind(C, name='transpose_mpi_clear')
        b = -1
    end subroutine transpose_clear

    subroutine transpose_run(a) bind(C, name='transpose_mpi_run')
        real(c_double), intent(in) :: a(nx, ny, slab_z)
        integer :: image, y, block

        block = nx * slab_z * slab_y
        do image = 1, images
            do y = 1, slab_y
                leaving(:, :, y, image) = a(:, (image - 1) * slab_y + y, :)
            end do
        end do
        call MPI_Alltoall(leaving, block, MPI_DOUBLE_PRECISION, arriving, block, MPI_DOUBLE_PRECISION, &
            MPI_COMM_WORLD)
        do image = 1, images
            do y = 1, slab_y
                b(:, (image - 1) * slab_z + 1:image * slab_z, y) = arriving(:, :, y, image)
            end do
        end do
    end subroutine transpose_run

    subroutine transpose_get(values) bind(C, name='transpose_mpi_get')
        real(c_double), intent(out) :: values(nx, nz, slab_y)

        values = b
    end subroutine transpose_get

    subroutine transpose_destroy() bind(C, name='transpose_mpi_destroy')
        deallocate (b, leaving, arriving)
    end subroutine transpose_destroy

end module transpose_mpi
