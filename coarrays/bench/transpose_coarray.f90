! The distributed transpose with coarrays: sections that are put to every image.
module transpose_coarray
    use, intrinsic :: iso_c_binding, only: c_double, c_int
    implicit none
    private

    ! Of the whole array, and of one image's slabs.
    integer :: nx, ny, nz, slab_y, slab_z
    real(c_double), allocatable :: b(:, :, :)[:]

contains

    subroutine transpose_create(size) bind(C, name='transpose_coarray_create')
        integer(c_int), intent(in) :: size(3)

        nx = size(1); ny = size(2); nz = size(3)
        slab_y = ny / num_images()
        slab_z = nz / num_images()
        allocate (b(nx, nz, slab_y)[*])
    end subroutine transpose_create

    subroutine transpose_clear() bind(C, name='transpose_coarray_clear')
        b = -1
        sync all
    end subroutine transpose_clear

    ! Each image begins with itself and goes on with the next, so that no image is everybody's target at
    ! once.
    subroutine transpose_run(a) bind(C, name='transpose_coarray_run')
        real(c_double), intent(in) :: a(nx, ny, slab_z)
        integer :: step, partner, first_z, y

        first_z = (this_image() - 1) * slab_z + 1
        sync all
        do step = 0, num_images() - 1
            partner = 1 + mod(this_image() - 1 + step, num_images())
            do y = 1, slab_y
                b(:, first_z:first_z + slab_z - 1, y)[partner] = a(:, (partner - 1) * slab_y + y, :)
            end do
        end do
        sync all
    end subroutine transpose_run

    subroutine transpose_get(values) bind(C, name='transpose_coarray_get')
        real(c_double), intent(out) :: values(nx, nz, slab_y)

        values = b
    end subroutine transpose_get

    subroutine transpose_destroy() bind(C, name='transpose_coarray_destroy')
        deallocate (b)
    end subroutine transpose_destroy

end module transpose_coarray
