! Accelerated coarrays of each kind: filled, computed on by a kernel, read from the next image and
! put to it. Images 1 to num_images() / 2 use the first GPU, the others the last of `devices`, an argument.
program neighbours
    use, intrinsic :: iso_c_binding, only: c_associated, c_double, c_f_pointer, c_int, c_loc, c_long, c_null_ptr, &
                                           c_ptr, c_size_t
    use accelerated
    use testing, only: check, finish
    implicit none

    interface
        function scale_on_gpu(x, count, factor, addend, stream) result(error) bind(c)
            import :: c_double, c_int, c_long, c_ptr
            type(c_ptr), value :: x, stream
            integer(c_long), value :: count
            real(c_double), value :: factor, addend
            integer(c_int) :: error
        end function scale_on_gpu
    end interface

    integer(c_size_t), parameter :: double_bytes = 8
    integer, parameter :: n = 8000, half = n / 2
    integer :: me, next, previous, devices
    integer(c_int) :: kind
    character(len=8) :: argument

    me = this_image()
    next = mod(me, num_images()) + 1
    previous = mod(me + num_images() - 2, num_images()) + 1
    call get_command_argument(1, argument)
    read (argument, *) devices
    call check(accelerated_use_device(merge(0, devices - 1, 2 * me <= num_images())) == 0, 'a GPU')
    do kind = accelerated_managed, accelerated_device
        call exchange(kind)
    end do
    call errors()
    call finish()

contains

    ! What image `image` has before and after its kernel.
    elemental real(c_double) function start_value(image, i)
        integer, intent(in) :: image, i
        start_value = 1000 * image + i
    end function start_value

    elemental real(c_double) function scaled_value(image, i)
        integer, intent(in) :: image, i
        scaled_value = 2 * start_value(image, i) + image
    end function scaled_value

    ! From the CPU: by assignment where it reaches the part, else by a put to this image.
    subroutine fill(x, kind)
        type(c_ptr), intent(in) :: x
        integer(c_int), intent(in) :: kind
        real(c_double), pointer :: part(:)
        real(c_double), target :: values(n)
        integer :: i

        values = [(start_value(me, i), i = 1, n)]
        if (kind == accelerated_device) then
            call succeed(accelerated_put(x, me, 0_c_size_t, c_loc(values), n * double_bytes, c_null_ptr), 'put to itself')
            call check(accelerated_wait(c_null_ptr) == 0, 'wait for the put')
        else
            call c_f_pointer(accelerated_memory(x), part, [n])
            call check(all(abs(part) <= 0), 'zero at first')
            part = values
        end if
    end subroutine fill

    subroutine exchange(kind)
        integer(c_int), intent(in) :: kind
        type(c_ptr) :: x(1)
        real(c_double), target :: panel(n), mine(half)
        integer :: i

        call succeed(accelerated_allocate(x(1), n * double_bytes, kind), 'allocate')
        call fill(x(1), kind)
        call check(scale_on_gpu(accelerated_memory(x(1)), int(n, c_long), 2.0_c_double, real(me, c_double), c_null_ptr) == 0, &
                   'kernel')
        call succeed(accelerated_sync(1, x), 'sync')

        ! panel = x[next]
        panel = 0
        call succeed(accelerated_get(c_loc(panel), x(1), next, 0_c_size_t, n * double_bytes, c_null_ptr), 'get')
        call check(accelerated_wait(c_null_ptr) == 0, 'wait for the get')
        call check(all(same(panel, [(scaled_value(next, i), i = 1, n)])), 'what the next image computed')
        call succeed(accelerated_sync(1, x), 'sync before the put')

        ! x(half + 1:)[next] = mine
        mine = [(-start_value(me, i), i = 1, half)]
        call succeed(accelerated_put(x(1), next, half * double_bytes, c_loc(mine), half * double_bytes, c_null_ptr), 'put')
        call succeed(accelerated_sync(1, x), 'sync after the put')
        call check(scale_on_gpu(accelerated_memory(x(1)), int(n, c_long), 3.0_c_double, 0.0_c_double, c_null_ptr) == 0, &
                   'kernel after the put')
        call succeed(accelerated_get(c_loc(panel), x(1), me, 0_c_size_t, n * double_bytes, c_null_ptr), 'get from itself')
        call check(accelerated_wait(c_null_ptr) == 0, 'wait for the last get')
        call check(all(same(panel(:half), [(3 * scaled_value(me, i), i = 1, half)])), 'what nobody has put to')
        call check(all(same(panel(half + 1:), [(-3 * start_value(previous, i), i = 1, half)])), 'what was put here')
        call succeed(accelerated_free(x(1)), 'free')
    end subroutine exchange

    elemental logical function same(a, b)
        real(c_double), intent(in) :: a, b
        same = abs(a - b) <= 0
    end function same

    ! What comes after a failure would fail, too.
    subroutine succeed(code, what)
        integer(c_int), intent(in) :: code
        character(len=*), intent(in) :: what
        if (code /= 0) error stop what//': '//accelerated_error()
    end subroutine succeed

    subroutine errors()
        type(c_ptr) :: x, none
        real(c_double), target :: value

        value = 0
        none = c_null_ptr
        call check(accelerated_use_device(1000) /= 0, 'GPU 1000')
        call check(accelerated_allocate(none, double_bytes, 3) /= 0, 'kind 3')
        call check(index(accelerated_error(), 'there is no kind 3') > 0, 'sentence about kind 3')
        call check(accelerated_allocate(none, -1_c_size_t, accelerated_device) /= 0, 'all memory there is')
        call check(.not. c_associated(none), 'no coarray')
        call succeed(accelerated_allocate(x, double_bytes, accelerated_mapped), 'allocate after errors')
        call check(accelerated_get(c_loc(value), x, num_images() + 1, 0_c_size_t, double_bytes, c_null_ptr) /= 0, 'far image')
        call check(index(accelerated_error(), 'GET: there is no image') > 0, 'sentence about the image')
        call check(accelerated_put(x, 1, 1_c_size_t, c_loc(value), double_bytes, c_null_ptr) /= 0, 'beyond the end')
        call check(index(accelerated_error(), 'beyond the coarray''s 8') > 0, 'sentence about the end')
        call succeed(accelerated_free(x), 'free after errors')
    end subroutine errors
end program neighbours
